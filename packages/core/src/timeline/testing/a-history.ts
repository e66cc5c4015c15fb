import fc from 'fast-check'
import {
  type PlanResult,
  planContinue,
  planOverride,
  planRescue,
  planSchedule,
  planStart,
  planStop,
  planStopAt,
} from '../../planning/plan.ts'
import type { ScheduledProgram } from '../../schedule/scheduled-program.ts'
import {
  aMedia,
  anUnready,
  aPod,
  aProgram,
  aVideo,
  ORIGIN_MS,
  someSlates,
} from '../../schedule/testing/a-schedule.ts'
import type { LiveBreak } from '../live-log.ts'
import type { OnAir } from '../on-air.ts'
import { applyRun, emptyTimeline, type Run, type Timeline } from '../run.ts'
import { aLog, aView } from './a-timeline.ts'
import { aCut, anOverride, aSchedule } from './control-room.ts'

/** An operation on a channel, this long after the previous one. A channel that is off is started instead. */
export interface Step {
  readonly waitMs: number
  readonly operation: keyof typeof operations
}

export interface Change {
  readonly atMs: number
  readonly run: Run
  readonly before: Timeline
  readonly after: Timeline
}

/** A source that stalls, is started again and has breaks, with and without a slate. */
const FIRST_SLOT = ORIGIN_MS / 3_200
const slots = Array.from({ length: 1_200 }, (_, at) => FIRST_SLOT + at)
export const historyView = aView(
  aLog(
    slots.filter((slot) => (slot * 7_919) % 31 < 3),
    slots.filter((slot) => slot % 20 === 0).map(breakFrom),
    (slot) => Math.floor(slot / 37),
  ),
)

function breakFrom(firstSlot: number): LiveBreak {
  const [plannedSlots, played] = firstSlot % 40 === 0 ? [9, 4] : [7, 7]
  const slate = firstSlot % 60 === 0 ? aMedia('live-ad', 10.4) : null
  return { firstSlot, plannedSlots, endSlot: firstSlot + played, slate }
}

/** Half an hour of short programs, with gaps between some of them. */
const programs: readonly ScheduledProgram[] = Array.from({ length: 12 }, (_, at) =>
  aProgram(
    at * 150,
    at * 150 + 110 + 10 * (at % 5),
    aVideo(`video-${at}`, 33.3 + at),
    aPod(12 + at),
    at % 3 === 0 ? anUnready(`late-${at}`, 20) : aVideo(`more-${at}`, 7.1),
    aPod(5),
  ),
)

const schedule = (nowMs: number) => aSchedule((nowMs - ORIGIN_MS) / 1_000 + 300, ...programs)

const operations = {
  override: (onAir: OnAir) => planOverride(onAir, anOverride()),
  overrideOther: (onAir: OnAir) => planOverride(onAir, anOverride('south')),
  rescue: (onAir: OnAir) => planRescue(onAir, someSlates().rescue, aCut),
  return: (onAir: OnAir) => planSchedule(onAir, schedule(onAir.nowMs)),
  replan: (onAir: OnAir) => planSchedule(onAir, schedule(onAir.nowMs), onAir.nowMs + 60_000),
  resume: (onAir: OnAir) => planContinue(onAir, schedule(onAir.nowMs)),
  stop: (onAir: OnAir) => planStop(onAir),
  stopLater: (onAir: OnAir) => planStopAt(onAir, { ...schedule(onAir.nowMs), endMs: onAir.nowMs + 20_000 }),
} as const satisfies Record<string, (onAir: OnAir) => PlanResult>

export const anyHistory: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    waitMs: fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 3_000, max: 90_000 })),
    operation: fc.constantFrom(...(Object.keys(operations) as Step['operation'][])),
  }),
  { minLength: 1, maxLength: 10 },
)

export function playHistory(steps: readonly Step[]): readonly Change[] {
  const changes: Change[] = []
  let atMs = ORIGIN_MS
  for (const { waitMs, operation } of [{ waitMs: 0, operation: 'return' } as const, ...steps]) {
    atMs += waitMs
    const before = changes.at(-1)?.after ?? emptyTimeline
    const onAir = { timeline: before, live: historyView, nowMs: atMs }
    const result = operations[operation](onAir)
    const isOff = before.runs.length === 0 || before.runs.at(-1)!.isEnd
    if (result.kind === 'rejected' && !isOff) continue
    const run = result.kind === 'planned' ? result.run : planStart(onAir, schedule(atMs))
    changes.push({ atMs, run, before, after: applyRun(before, run) })
  }
  return changes
}
