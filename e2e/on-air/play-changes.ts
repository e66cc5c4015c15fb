import type { ClockControl } from '@continuity/dev/clock-control'
import { airedBetween } from './aired.ts'
import { PATIENCE_MS } from './channels.ts'
import { untilPlanned } from './full-day.ts'
import type { OnAirSystem } from './on-air-system.ts'
import { type Item, type ProgramPlan, schedulePrograms } from './programs.ts'
import type { StepViewer } from './step-viewer.ts'

export interface Changing {
  readonly system: OnAirSystem
  readonly clock: ClockControl
  readonly viewer: StepViewer
  /** IDs of the clips' videos. */
  readonly videoIds: readonly string[]
}

/** The result of a round, and its faults. */
export interface ChangeResult {
  /** Programs that were on air as last scheduled. */
  readonly aired: number
  /** Deletions that had to be rejected and were, and those that had to succeed and did. */
  readonly rejected: number
  readonly deleted: number
  readonly wrong: readonly string[]
}

const WINDOW_MS = 120_000

/** From the start of a round to its first program: more than the notice that the API requires. */
const AHEAD_MS = 100_000

const HOUR_MS = 3_600_000

/** Four programs: the second is replaced, a video of the third cannot be deleted, the fourth is added later. */
export async function playRound(changing: Changing): Promise<ChangeResult> {
  const { system, clock, viewer, videoIds } = changing
  const firstMs = Math.ceil(clock.nowMs() / 1_000) * 1_000 + AHEAD_MS
  const planOf = (at: number, items: readonly Item[]): ProgramPlan => ({
    channelId: system.channelId,
    startMs: firstMs + at * WINDOW_MS,
    durationMs: WINDOW_MS,
    items,
  })
  const [first, second, third] = [
    planOf(0, [{ clip: 0 }, { podSeconds: 10 }, { promo: 1 }]),
    planOf(1, [{ clip: 3 }, { clip: 4 }]),
    planOf(2, [{ clip: 5 }, { clip: 6 }, { clip: 7 }]),
  ]
  await change(changing, [first, second, third])
  await viewer.watchUntil(firstMs + 20_000)
  const another = planOf(1, [{ clip: 7 }, { clip: 3 }])
  const late = planOf(3, [{ clip: 8 }, { clip: 0 }])
  await change(changing, [another, late])
  const rejection = await deleteVideo(system, videoIds[6]!)
  await viewer.watchUntil(firstMs + 4 * WINDOW_MS)
  const isRejected = rejection?.includes('record.in_use') === true
  const wrong = [
    await findWrong(changing, first, ['item-0.mp4', 'slate:ad', 'item-1.mp4']),
    await findWrong(changing, another, ['item-7.mp4', 'item-3.mp4']),
    await findWrong(changing, third, ['item-5.mp4', 'item-6.mp4', 'item-7.mp4']),
    await findWrong(changing, late, ['item-8.mp4', 'item-0.mp4']),
  ]
  return {
    aired: wrong.filter((it) => it === undefined).length,
    rejected: isRejected ? 1 : 0,
    deleted: 0,
    wrong: [
      ...wrong.filter((it) => it !== undefined),
      ...(isRejected ? [] : [`deleting a committed video: ${rejection ?? 'it was deleted'}`]),
    ],
  }
}

/** A program beyond the committed timeline, of which a video is deleted: its time is filled. */
export async function playDeleted(changing: Changing): Promise<ChangeResult> {
  const { system, clock, viewer, videoIds } = changing
  const startMs = Math.ceil(clock.nowMs() / 1_000) * 1_000 + 28 * HOUR_MS
  const items = [{ clip: 5 }, { clip: 2 }, { clip: 7 }]
  const plan = { channelId: system.channelId, startMs, durationMs: WINDOW_MS, items }
  await change(changing, [plan])
  const rejection = await deleteVideo(system, videoIds[2]!)
  if (rejection !== undefined) return { aired: 0, rejected: 0, deleted: 0, wrong: [rejection] }
  await clock.steer({ kind: 'rate', rate: 1 })
  // Advance as far as nodes have a timeline, then let the control room catch up.
  while (clock.nowMs() < startMs - 10 * HOUR_MS) {
    await clock.steer({ kind: 'advance', byMs: 9 * HOUR_MS })
    await untilPlanned(system, clock.nowMs() + 24 * HOUR_MS)
  }
  await clock.steer({ kind: 'set', toMs: startMs - 60_000 })
  await viewer.watchUntil(startMs + WINDOW_MS)
  const wrong = await findWrong(changing, plan, ['item-5.mp4', 'slate:time_fill', 'item-7.mp4'])
  return {
    aired: wrong === undefined ? 1 : 0,
    rejected: 0,
    deleted: 1,
    wrong: wrong === undefined ? [] : [wrong],
  }
}

/** Schedules programs while the clock runs, as the control room requires, until they are committed. */
async function change({ system, clock }: Changing, plans: readonly ProgramPlan[]): Promise<void> {
  await clock.steer({ kind: 'rate', rate: 1 })
  await schedulePrograms(system, plans, PATIENCE_MS)
  await untilPlanned(system, clock.nowMs())
  await clock.steer({ kind: 'rate', rate: 0 })
}

/** The error, or undefined if the video was deleted. */
const deleteVideo = ({ call }: OnAirSystem, videoId: string): Promise<string | undefined> =>
  call('DELETE', `/api/2.1/videos/${videoId}`).then(
    () => undefined,
    (error: unknown) => String(error),
  )

/** How a program on air differs from the plan: its items come first, at its time, and no other items follow. */
async function findWrong(
  { system, viewer }: Changing,
  { startMs, durationMs }: ProgramPlan,
  names: readonly string[],
): Promise<string | undefined> {
  const aired = await airedBetween(system.database, viewer.watch.listed(), startMs, startMs + durationMs)
  const shown = aired.map(({ name }) => name)
  const offMs = Math.abs((aired[0]?.startMs ?? 0) - startMs)
  const isRight =
    shown.slice(0, names.length).join() === names.join() &&
    !shown.slice(names.length).some((name) => name.startsWith('item-')) &&
    offMs <= 1_000
  return isRight ? undefined : `expected ${names.join()}, got ${shown.join()}, ${offMs} ms off`
}
