import { GOP_MS, TICKS_PER_MS } from '../media/house-format.ts'
import { loopOf, type Media } from '../media/media.ts'
import { layOut } from '../schedule/lay-out.ts'
import type { Placement } from '../schedule/placement.ts'
import type { ScheduledProgram, Slates } from '../schedule/scheduled-program.ts'
import { looped } from '../schedule/slate.ts'
import { msOf, ticksOf } from '../time/ticks.ts'
import { CUT_MARGIN_MS } from '../timeline/cut-margin.ts'
import { spanUpTo } from '../timeline/find.ts'
import { slotShownAt } from '../timeline/live-log.ts'
import type { OnAir } from '../timeline/on-air.ts'
import { plannedUntil } from '../timeline/planned-until.ts'
import { endTicksOf, lastStart, type Run, type Timeline } from '../timeline/run.ts'
import type { SegmentNumbers } from '../timeline/skip-ahead.ts'
import { type Airing, OPEN_SEGMENTS, offsetOf, type Program, type Span } from '../timeline/span.ts'
import { type Boundary, isUnseen, planAtBoundary } from './boundary.ts'
import { makeRun, nextSequence } from './make-run.ts'
import { numberPlacements } from './number-placements.ts'

export type PlanResult =
  | { readonly kind: 'planned'; readonly run: Run }
  | { readonly kind: 'rejected'; readonly reason: 'not_on_air' | 'not_following_schedule' }

export interface Schedule {
  /** In any order. */
  readonly programs: readonly ScheduledProgram[]
  readonly slates: Slates
  /** The schedule is laid out at least up to here. */
  readonly untilMs: number
  /** When the channel goes off the air; the schedule is laid out up to here. */
  readonly endMs?: number
}

/** Length of the pre-roll slate, so that the first playlist of a channel has a complete window. */
const PRE_ROLL_MS = 32_000

/**
 * A channel starts, or returns to the air: a pre-roll slate, then the schedule at the current time. With
 * `numbers`, it begins with those instead of the ones that follow from the timeline.
 */
export function planStart(onAir: OnAir, schedule: Schedule, numbers?: SegmentNumbers): Run {
  const { timeline, nowMs } = onAir
  const { rescue } = schedule.slates
  const preRoll = preRollOf(rescue)
  const shownFromTicks = Math.max(ticksOf(nowMs + CUT_MARGIN_MS), earliestStart(timeline, rescue))
  const startTicks = shownFromTicks - preRollTicks(rescue)
  const placements = [{ ...preRoll, startTicks }, ...scheduleFrom(shownFromTicks, schedule)]
  const boundary = { sequence: numbers?.sequence ?? nextSequence(timeline), startTicks }
  const run = makeRun(onAir, boundary, numberPlacements(placements, boundary.sequence))
  return { ...run, discontinuity: numbers?.discontinuity ?? run.discontinuity, shownFromTicks }
}

/**
 * When the playlists of a channel that went off the air may be served again: its pre-roll slate is after its
 * end.
 */
export function earliestStart({ runs }: Timeline, rescue: Media): number {
  const last = runs.at(-1)
  return last === undefined ? 0 : endTicksOf(last) + preRollTicks(rescue)
}

/**
 * Revokes the end of a channel that is going off the air: the schedule continues there without a pause, and
 * what is committed before the end stays. Rejected after the end, because its playlists are marked as ended
 * before every node can have received the change.
 */
export function planContinue(onAir: OnAir, schedule: Schedule): PlanResult {
  const { timeline, live, nowMs } = onAir
  const last = timeline.runs.at(-1)
  if (last?.isEnd !== true || endTicksOf(last) <= ticksOf(nowMs))
    return { kind: 'rejected', reason: 'not_on_air' }
  const boundary = { sequence: nextSequence(timeline), startTicks: endTicksOf(last) }
  const untilMs = Math.max(schedule.untilMs, msOf(boundary.startTicks))
  const run = scheduleRun(onAir, boundary, { ...schedule, untilMs })
  if (isUnseen(timeline, run, nowMs, live)) return { kind: 'planned', run }
  // An ad break at the end would be announced too early for some nodes: it is joined after one segment of
  // slate.
  const slate = { ...slateFor(schedule.slates.rescue, 1), startTicks: boundary.startTicks }
  const placements = [slate, ...scheduleFrom(endOfPlacement(slate), { ...schedule, untilMs })]
  const before = spanUpTo(timeline, boundary.sequence)
  return {
    kind: 'planned',
    run: makeRun(onAir, boundary, numberPlacements(placements, boundary.sequence, before)),
  }
}

/**
 * The schedule takes over: after an override at the current time, at the end of the planned schedule, or from
 * the time of a change of the schedule. Such a change is rejected during an override: the return applies it.
 */
export function planSchedule(onAir: OnAir, schedule: Schedule, fromMs?: number): PlanResult {
  const plannedTicks = plannedUntil(onAir.timeline)
  if (fromMs !== undefined && plannedTicks === undefined)
    return { kind: 'rejected', reason: 'not_following_schedule' }
  // After the planned schedule there is the endless slate; it would stay before anything that begins in it.
  const plannedMs = msOf(plannedTicks ?? Number.MAX_SAFE_INTEGER)
  return planCut(onAir, fromMs === undefined ? undefined : Math.min(fromMs, plannedMs), (boundary) =>
    scheduleRun(onAir, boundary, schedule),
  )
}

export interface OverrideParams {
  readonly sourceId: string
  readonly slotMs: number
  /** The rescue slate in segments of a slot. */
  readonly fill: Media
  readonly program: Program
  readonly title: string
}

/** A live source takes over until the next cut. */
export function planOverride(
  onAir: OnAir,
  { sourceId, slotMs, fill, program, title }: OverrideParams,
): PlanResult {
  const airing: Airing = { program, component: 0, type: 'LIVE', referenceId: sourceId, title }
  return planCut(onAir, undefined, (boundary) => {
    const firstSlot = slotShownAt(boundary.startTicks, slotMs)
    const joinedSlot = visitOf(onAir, boundary, sourceId, firstSlot) ?? firstSlot
    const slotTicks = slotMs * TICKS_PER_MS
    const show = { kind: 'live', sourceId, firstSlot, joinedSlot, slotTicks, fill } as const
    return makeRun(onAir, boundary, [openSpan(boundary, show, airing)])
  })
}

/** Longest span of a live source: its discontinuities are counted in a log that is kept for 48 hours. */
const LIVE_SPAN_MS = 12 * 3_600_000

/** Continues an override in a new span before the log of the old one is purged; undefined if not needed yet. */
export function planRenewal(onAir: OnAir): PlanResult | undefined {
  const span = onAir.timeline.runs.at(-1)?.spans.at(-1)
  if (span?.show.kind !== 'live' || span.airing.program === null) return undefined
  if (msOf(span.startTicks) > onAir.nowMs - LIVE_SPAN_MS) return undefined
  const { sourceId, slotTicks, fill } = span.show
  const { program, title } = span.airing
  return planOverride(onAir, { sourceId, slotMs: slotTicks / TICKS_PER_MS, fill, program, title })
}

/** The first slot of the visit, if the channel already shows the source and continues with the next slot. */
function visitOf(
  { timeline }: OnAir,
  { sequence }: Boundary,
  sourceId: string,
  slot: number,
): number | undefined {
  const before = spanUpTo(timeline, sequence)
  if (before?.show.kind !== 'live' || before.show.sourceId !== sourceId) return undefined
  return before.show.firstSlot + before.segments === slot ? before.show.joinedSlot : undefined
}

/** The rescue slate takes over until the next cut. */
export function planRescue(onAir: OnAir, rescue: Media, program: Program): PlanResult {
  const airing: Airing = { program, component: 0, type: 'SLATE', referenceId: null, title: '' }
  return planCut(onAir, undefined, (boundary) => {
    return makeRun(onAir, boundary, [openSpan(boundary, looped(rescue), airing)])
  })
}

/** The channel goes off the air at the next boundary; a start that is not visible yet is revoked. */
export function planStop(onAir: OnAir): PlanResult {
  const { timeline, nowMs } = onAir
  const start = lastStart(timeline)
  if (start !== undefined && start.shownFromTicks >= ticksOf(nowMs + CUT_MARGIN_MS)) {
    const boundary = { sequence: start.firstSequence, startTicks: start.startTicks }
    return { kind: 'planned', run: makeRun(onAir, boundary, []) }
  }
  return planCut(onAir, undefined, (boundary) => makeRun(onAir, boundary, []))
}

/** The channel goes off the air at the boundary nearest to a time; the schedule is planned up to then. */
export function planStopAt(onAir: OnAir, schedule: Schedule & { readonly endMs: number }): PlanResult {
  const plannedTicks = plannedUntil(onAir.timeline)
  if (plannedTicks !== undefined && schedule.endMs > msOf(plannedTicks))
    return planSchedule(onAir, schedule, msOf(plannedTicks))
  return planCut(onAir, schedule.endMs, (boundary) => makeRun(onAir, boundary, []))
}

function planCut(onAir: OnAir, fromMs: number | undefined, plan: (boundary: Boundary) => Run): PlanResult {
  // Programs begin up to half a GOP off their scheduled start, and the cut must be at the real start.
  const fromTicks = fromMs === undefined ? undefined : ticksOf(fromMs) + ticksOf(GOP_MS) / 2
  const run = planAtBoundary(onAir, fromTicks, plan)
  return run === undefined ? { kind: 'rejected', reason: 'not_on_air' } : { kind: 'planned', run }
}

function scheduleRun(onAir: OnAir, boundary: Boundary, schedule: Schedule): Run {
  const before = spanUpTo(onAir.timeline, boundary.sequence)
  const placements = scheduleFrom(boundary.startTicks, schedule, before)
  const run = makeRun(onAir, boundary, numberPlacements(placements, boundary.sequence, before))
  return schedule.endMs === undefined ? run : { ...run, isEnd: true }
}

/**
 * The schedule, then the rescue slate without end. The channel must not end if the control room is down for
 * longer than was planned; as soon as more is planned, it replaces the slate.
 */
function scheduleFrom(
  fromTicks: number,
  { programs, slates, untilMs, endMs }: Schedule,
  before?: Span,
): readonly Placement[] {
  const { placements } = layOut({
    fromTicks,
    untilTicks: ticksOf(endMs ?? untilMs),
    programs,
    slates,
    before,
  })
  if (endMs !== undefined) return placements
  const last = placements.at(-1)
  const startTicks = last === undefined ? fromTicks : endOfPlacement(last)
  return [...placements, { ...slateFor(slates.rescue, OPEN_SEGMENTS), startTicks }]
}

const preRollOf = (rescue: Media): Omit<Placement, 'startTicks'> =>
  slateFor(rescue, Math.ceil(ticksOf(PRE_ROLL_MS) / loopOf(rescue).segmentTicks))

const preRollTicks = (rescue: Media): number => preRollOf(rescue).segments * loopOf(rescue).segmentTicks

const slateFor = (media: Media, segments: number): Omit<Placement, 'startTicks'> => ({
  segments,
  show: looped(media),
  airing: { program: null, component: 0, type: 'SLATE', referenceId: null, title: '' },
  adBreakTicks: null,
})

const openSpan = ({ sequence, startTicks }: Boundary, show: Span['show'], airing: Airing): Span => ({
  startTicks,
  segments: OPEN_SEGMENTS,
  firstSequence: sequence,
  discontinuity: 0,
  show,
  airing,
  adBreak: null,
})

const endOfPlacement = ({ startTicks, segments, show }: Placement): number =>
  startTicks + offsetOf({ show }, segments)
