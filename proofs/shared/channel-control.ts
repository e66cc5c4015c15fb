import assert from 'node:assert/strict'
import {
  type BreakChange,
  type BreakLog,
  changeByCue,
  emptyBreakLog,
  endBreak,
  insertBreak,
} from '@continuity/core/live/break-log'
import { cueIn, type SourceCue } from '@continuity/core/live/source-cues'
import type { Media } from '@continuity/core/media/media'
import { splitRun } from '@continuity/core/planning/make-run'
import {
  type PlanResult,
  planOverride,
  planRescue,
  planSchedule,
  planStart,
  planStop,
  planStopAt,
} from '@continuity/core/planning/plan'
import type { ScheduledProgram } from '@continuity/core/schedule/scheduled-program'
import { msOf } from '@continuity/core/time/ticks'
import { createLiveView, type LiveView } from '@continuity/core/timeline/discontinuity'
import {
  firstUnsettledSlot,
  isInTime,
  type LiveEntry,
  type LiveLog,
} from '@continuity/core/timeline/live-log'
import { plannedUntil } from '@continuity/core/timeline/planned-until'
import { applyRun, emptyTimeline, endTicksOf, type Run, type Timeline } from '@continuity/core/timeline/run'
import { faultsOf } from '@continuity/core/timeline/timeline-faults'
import type { Draw } from '@continuity/dev/draw'
import {
  createNames,
  makeReady,
  type Names,
  shuffle,
  someMedia,
  someProgram,
  somePrograms,
  someSlates,
} from './random-schedule.ts'

/** The control room of one channel: sends random commands, and keeps the committed timeline. */
export interface Controller {
  readonly sources: readonly LiveSource[]
  /** Runs committed together, and when. */
  readonly changes: readonly Change[]
  /** Time ranges in which the channel followed its schedule, without an override. */
  readonly scheduled: readonly { readonly fromMs: number; readonly toMs: number }[]
  readonly expected: ReturnType<typeof createExpectedState>
  /** How many commands of each kind succeeded. */
  readonly carriedOut: ReadonlyMap<string, number>
  timeline(): Timeline
  programs(): readonly ScheduledProgram[]
  /** Sends one random command that is allowed in the current state. */
  sendCommand(nowMs: number): void
  /** Plans further ahead, as a periodic job does. */
  extend(nowMs: number): void
}

interface Change {
  readonly atMs: number
  readonly runs: readonly Run[]
}

interface ControllerOptions {
  readonly fromMs: number
  readonly toMs: number
  /** How far ahead it plans. */
  readonly aheadMs: number
  readonly longestProgramMs: number
}

type State = 'off' | 'schedule' | 'override' | 'stopping'

export function createController(draw: Draw, options: ControllerOptions): Controller {
  const names = createNames()
  const slates = someSlates(draw, names)
  const fill = someMedia('rescue-slots', 900 + draw.below(600), 3_200)
  const { fromMs, toMs, aheadMs } = options
  const sources = ['north', 'south'].map((id) => createLiveSource(draw, id, fromMs - 60_000, toMs + 60_000))
  const clock = { nowMs: fromMs }
  const live = liveViewOf(sources, clock, 0)
  const changes: Change[] = []
  const scheduled: { readonly fromMs: number; toMs: number }[] = []
  const expected = createExpectedState()
  const carriedOut = new Map<string, number>()
  let programs = somePrograms(draw, names, fromMs + 30_000, toMs + aheadMs, options.longestProgramMs)
  let timeline: Timeline = emptyTimeline
  let state: State = 'off'

  const commit = (nowMs: number, run: Run) => {
    const runs = splitRun(run, draw.one([3, 32]))
    for (const part of runs) timeline = applyRun(timeline, part)
    changes.push({ atMs: nowMs, runs })
    assert.deepEqual(faultsOf(timeline), [])
  }
  const onAir = (nowMs: number) => ({ timeline, live, nowMs })
  const schedule = (nowMs: number, list = programs) => ({ programs: list, slates, untilMs: nowMs + aheadMs })
  const count = (kind: string) => carriedOut.set(kind, (carriedOut.get(kind) ?? 0) + 1)
  const enter = (nowMs: number, run: Run, next: State, stopMs = nowMs) => {
    commit(nowMs, run)
    if (state === 'off') expected.started(nowMs)
    else if (next === 'stopping') expected.stopped(nowMs, stopMs)
    else if (state === 'stopping') expected.continued()
    if (state === 'schedule') scheduled.at(-1)!.toMs = nowMs
    // From where the run takes over, not from the command: a starting channel shows its pre-roll slate first.
    const fromMs = msOf(run.shownFromTicks ?? run.startTicks)
    if (next === 'schedule') scheduled.push({ fromMs, toMs: Number.MAX_SAFE_INTEGER })
    state = next
  }
  const carryOut = (
    kind: string,
    nowMs: number,
    result: PlanResult,
    { next, stopMs }: { readonly next: State; readonly stopMs?: number },
  ) => {
    if (result.kind === 'rejected') return
    count(kind)
    enter(nowMs, result.run, next, stopMs)
  }
  const follow = (nowMs: number, atMs?: number) => {
    const result = planSchedule(onAir(nowMs), schedule(nowMs), atMs)
    // The order of the programs does not matter.
    assert.deepEqual(planSchedule(onAir(nowMs), schedule(nowMs, shuffle(draw, programs)), atMs), result)
    return result
  }
  const change = (kind: string, nowMs: number, next: readonly ScheduledProgram[], atMs: number) => {
    programs = [...next]
    const result = state === 'schedule' ? follow(nowMs, atMs) : undefined
    if (result?.kind !== 'planned') return
    count(kind)
    commit(nowMs, result.run)
  }

  const commands: Record<string, (nowMs: number) => void> = {
    override: (nowMs) => {
      const id = names.next('override')
      const program = { id, title: id, description: '', startMs: nowMs, endMs: null }
      const { id: sourceId } = draw.one(sources)
      const planned = planOverride(onAir(nowMs), { sourceId, slotMs: SLOT_MS, fill, program, title: id })
      carryOut('override', nowMs, planned, { next: 'override' })
    },
    rescue: (nowMs) => {
      const id = names.next('rescue')
      const program = { id, title: id, description: '', startMs: nowMs, endMs: null }
      const planned = planRescue(onAir(nowMs), slates.rescue, program)
      carryOut('rescue', nowMs, planned, { next: 'override' })
    },
    returnToSchedule: (nowMs) => carryOut('returnToSchedule', nowMs, follow(nowMs), { next: 'schedule' }),
    stop: (nowMs) => carryOut('stop', nowMs, planStop(onAir(nowMs)), { next: 'stopping' }),
    stopAtEnd: (nowMs) => {
      const now = programs.find(({ program }) => program.startMs <= nowMs && nowMs < program.endMs)
      if (now === undefined) return
      const { endMs } = now.program
      const planned = planStopAt(onAir(nowMs), { ...schedule(nowMs), endMs })
      carryOut('stopAtEnd', nowMs, planned, { next: 'stopping', stopMs: endMs })
    },
    replace: (nowMs) => {
      const later = programs.filter(({ program }) => program.startMs > nowMs + 60_000)
      if (later.length === 0) return
      const old = draw.one(later.slice(0, 4))
      const { startMs, endMs } = old.program
      const fresh = draw.chance(0.8) ? [someProgram(draw, names, startMs, endMs)] : []
      change('replace', nowMs, [...programs.filter((it) => it !== old), ...fresh], startMs)
    },
    becomeReady: (nowMs) => {
      const next = programs.map((it) => (it.program.endMs > nowMs ? makeReady(draw, it) : it))
      change('becomeReady', nowMs, next, nowMs + 60_000)
    },
    insertBreak: (nowMs) => {
      const source = draw.one(sources)
      const seconds = 1 + draw.below(90)
      if (source.insertBreak(nowMs, seconds, draw.chance(0.5) ? slateOf(draw, names) : null))
        count('insertBreak')
    },
    cue: (nowMs) => {
      const source = draw.one(sources)
      const durationMs = draw.chance(0.5) ? undefined : 1_000 + draw.below(90_000)
      const out = { kind: 'out', durationMs } as const
      const slate = draw.chance(0.5) ? slateOf(draw, names) : null
      if (source.cue(nowMs, draw.chance(0.6) ? out : cueIn, slate)) count('cue')
    },
    endBreak: (nowMs) => {
      for (const source of sources) if (source.endBreak(nowMs)) count('endBreak')
    },
  }

  return {
    sources,
    changes,
    scheduled,
    expected,
    carriedOut,
    timeline: () => timeline,
    programs: () => programs,
    sendCommand(nowMs) {
      clock.nowMs = nowMs
      const end = timeline.runs.at(-1)
      if (state === 'stopping' && end?.isEnd === true && msOf(endTicksOf(end)) < nowMs) state = 'off'
      if (state === 'off') {
        if (!draw.chance(0.7) && timeline.version !== 0) return
        count('start')
        enter(nowMs, planStart(onAir(nowMs), schedule(nowMs)), 'schedule')
        return
      }
      commands[draw.one(allowed[state])]!(nowMs)
    },
    extend(nowMs) {
      clock.nowMs = nowMs
      const plannedTicks = plannedUntil(timeline)
      if (state !== 'schedule' || plannedTicks === undefined) return
      const result = follow(nowMs, msOf(plannedTicks))
      if (result.kind === 'planned') commit(nowMs, result.run)
    },
  }
}

const changing = ['replace', 'replace', 'becomeReady', 'insertBreak', 'endBreak', 'cue', 'cue'] as const

const breaking = ['insertBreak', 'insertBreak', 'endBreak'] as const

const allowed: Record<Exclude<State, 'off'>, readonly string[]> = {
  schedule: ['override', 'override', 'rescue', 'stop', 'stopAtEnd', ...changing],
  override: ['override', 'rescue', 'returnToSchedule', 'returnToSchedule', 'stop', ...breaking, ...changing],
  stopping: ['insertBreak', 'replace', 'returnToSchedule'],
}

const slateOf = (draw: Draw, names: Names): Media => someMedia(names.next('ad'), 200 + draw.below(900), 3_200)

export function liveViewOf(
  sources: readonly LiveSource[],
  clock: { readonly nowMs: number },
  delayMs: number,
): LiveView {
  const logs = new Map(sources.map((source) => [source.id, source.viewFrom(clock, delayMs)]))
  return createLiveView((id) => logs.get(id))
}

/** Times documented in docs/interface. From a command to the first playlist that it may change. */
const PROPAGATION_MS = 1_500

/** How long the last playlist of a channel that went off air is served. */
const ENDED_MS = 60_000

/** A channel that returns first shows a playlist of slate that is entirely later than its last segment. */
const PRE_ROLL_MS = 34_000

/** Maximum time from a stop to the segment boundary where the channel ends. */
const BOUNDARY_MS = 30_000

/** How far a program may end from its time. */
const NEAR_MS = 1_000

/**
 * Whether a channel must have a playlist at a time; undefined where both are allowed. Computed from the commands and the
 * documented times only, so that it cannot share a mistake with a timeline.
 */
function createExpectedState() {
  let onFromMs = Number.POSITIVE_INFINITY
  let onUntilMs = Number.POSITIVE_INFINITY
  let offFromMs = Number.NEGATIVE_INFINITY
  return {
    started(nowMs: number): void {
      const isFirst = offFromMs === Number.NEGATIVE_INFINITY
      onFromMs = nowMs + PROPAGATION_MS + (isFirst ? 0 : PRE_ROLL_MS)
      onUntilMs = Number.POSITIVE_INFINITY
      offFromMs = Number.POSITIVE_INFINITY
    },
    /** It stays on air at least until `untilMs`: now, or the end of the program after which it stops. */
    stopped(nowMs: number, untilMs: number): void {
      onUntilMs = Math.max(nowMs, untilMs - NEAR_MS)
      offFromMs = Math.max(nowMs, untilMs) + BOUNDARY_MS + ENDED_MS
    },
    /** A pending stop was cancelled. */
    continued(): void {
      onUntilMs = Number.POSITIVE_INFINITY
      offFromMs = Number.POSITIVE_INFINITY
    },
    at(ms: number): 'on' | 'off' | undefined {
      if (ms >= onFromMs && ms < onUntilMs) return 'on'
      return ms >= offFromMs ? 'off' : undefined
    },
  }
}

const SLOT_MS = 3_200

/** A live source with a receiver that stalls, restarts, and is sometimes late. */
export type LiveSource = ReturnType<typeof createLiveSource>

/** The breaks from a time on. */
interface BreakVersion {
  readonly knownMs: number
  readonly log: BreakLog
}

interface Written {
  readonly entry: LiveEntry
  readonly brokerMs: number
}

function createLiveSource(draw: Draw, id: string, fromMs: number, toMs: number) {
  const written = writeSlots(draw, id, fromMs, toMs)
  const versions: BreakVersion[] = [{ knownMs: 0, log: emptyBreakLog(SLOT_MS) }]
  const apply = (nowMs: number, change: BreakChange): boolean => {
    if (change.kind !== 'changed') return false
    versions.push({ knownMs: nowMs, log: change.log })
    return true
  }
  return {
    id,
    /** Returns false if another break is in the way. */
    insertBreak(nowMs: number, seconds: number, slate: Media | null): boolean {
      const draft = { key: `${versions.length}`, origin: 'API', durationMs: seconds * 1_000, slate } as const
      return apply(nowMs, insertBreak(versions.at(-1)!.log, draft, nowMs))
    },
    /** Returns false if no break can end now. */
    endBreak: (nowMs: number) => apply(nowMs, endBreak(versions.at(-1)!.log, nowMs)),
    /** A cue of its playlist, as a receiver writes it at the start of its slot. Returns false if it changes nothing. */
    cue(nowMs: number, cue: SourceCue, slate: Media | null): boolean {
      const slot = Math.floor(nowMs / SLOT_MS)
      return apply(nowMs, changeByCue(versions.at(-1)!.log, cue, { slot, slate }, nowMs))
    },
    /** The log as a node sees it that receives everything with this delay. */
    viewFrom: (clock: { readonly nowMs: number }, delayMs: number): LiveLog => ({
      knownFrom: 0,
      get knownUntil() {
        return firstUnsettledSlot(clock.nowMs - delayMs, SLOT_MS)
      },
      entryAt(slot) {
        const it = written.get(slot)
        return it !== undefined && it.brokerMs + delayMs <= clock.nowMs ? it.entry : undefined
      },
      get breaks() {
        return versions.findLast(({ knownMs }) => knownMs <= clock.nowMs - delayMs)?.log.breaks ?? []
      },
    }),
  }
}

/** The entries that were in time; late ones are ignored. */
function writeSlots(draw: Draw, id: string, fromMs: number, toMs: number): Map<number, Written> {
  const written = new Map<number, Written>()
  let epoch = 1
  let stall = 0
  for (let slot = Math.floor(fromMs / SLOT_MS); slot * SLOT_MS < toMs; slot += 1) {
    if (stall === 0 && draw.chance(0.03)) {
      stall = draw.one([1, 2, 10, 60])
      if (draw.chance(0.8)) epoch += 1
    }
    if (stall > 0) stall -= 1
    else {
      const brokerMs = (slot + 1) * SLOT_MS + draw.below(1_100)
      if (isInTime(slot, SLOT_MS, brokerMs))
        written.set(slot, { brokerMs, entry: { slot, epoch, path: `live/${id}` } })
    }
  }
  return written
}
