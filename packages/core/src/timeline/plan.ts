import { GOP_MS, TICKS_PER_MS } from '../packaging/house-format.ts'
import { layOut } from '../schedule/lay-out.ts'
import type { Piece } from '../schedule/piece.ts'
import type { ScheduledProgram, Slates } from '../schedule/scheduled-program.ts'
import { looped } from '../schedule/slate.ts'
import { msOf, ticksOf } from '../time/ticks.ts'
import { type Boundary, isUnseen, planAtBoundary } from './boundary.ts'
import { spanUpTo } from './find.ts'
import { GUARD_MS } from './guard.ts'
import { slotShownAt } from './live-log.ts'
import { makeRun, nextSequence } from './make-run.ts'
import { loopOf, type Media } from './media.ts'
import { numberPieces } from './number-pieces.ts'
import type { OnAir } from './on-air.ts'
import { reachOf } from './reach.ts'
import { endTicksOf, lastStart, type Run, type Timeline } from './run.ts'
import type { SegmentNumbers } from './skip-ahead.ts'
import { type Airing, OPEN_SEGMENTS, offsetOf, type Program, type Span } from './span.ts'

export type PlanResult =
  | { readonly kind: 'planned'; readonly run: Run }
  | { readonly kind: 'refused'; readonly reason: 'not_on_air' | 'not_following_schedule' }

export interface Schedule {
  /** In any order. */
  readonly programs: readonly ScheduledProgram[]
  readonly slates: Slates
  /** How far it is laid out at least. */
  readonly untilMs: number
  /** Where the channel goes off the air, which is laid out to then. */
  readonly endMs?: number
}

/** The length of slate that a channel starts with, so that its first playlist is whole. */
const LEAD_MS = 32_000

/**
 * A channel goes on the air, or comes back to it: a lead of slate, and then the schedule where it now is. With `numbers`
 * it begins with those, and not with the ones that follow from the timeline.
 */
export function planStart(onAir: OnAir, schedule: Schedule, numbers?: SegmentNumbers): Run {
  const { timeline, nowMs } = onAir
  const { rescue } = schedule.slates
  const lead = leadOf(rescue)
  const shownFromTicks = Math.max(ticksOf(nowMs + GUARD_MS), earliestStart(timeline, rescue))
  const startTicks = shownFromTicks - ticksOfLead(rescue)
  const pieces = [{ ...lead, startTicks }, ...scheduleFrom(shownFromTicks, schedule)]
  const boundary = { sequence: numbers?.sequence ?? nextSequence(timeline), startTicks }
  const run = makeRun(onAir, boundary, numberPieces(pieces, boundary.sequence))
  return { ...run, discontinuity: numbers?.discontinuity ?? run.discontinuity, shownFromTicks }
}

/** When the playlists of a channel that went off the air may be served again: its pre-roll slate lies behind its end. */
export function earliestStart({ runs }: Timeline, rescue: Media): number {
  const last = runs.at(-1)
  return last === undefined ? 0 : endTicksOf(last) + ticksOfLead(rescue)
}

/**
 * The end of a channel that is going off the air is taken back: the schedule continues there without a pause, and what
 * is committed before the end stays. Refused once the end has come, because its playlists are marked as ended before
 * every node can have received the change.
 */
export function planContinue(onAir: OnAir, schedule: Schedule): PlanResult {
  const { timeline, live, nowMs } = onAir
  const last = timeline.runs.at(-1)
  if (last?.isEnd !== true || endTicksOf(last) <= ticksOf(nowMs))
    return { kind: 'refused', reason: 'not_on_air' }
  const boundary = { sequence: nextSequence(timeline), startTicks: endTicksOf(last) }
  const untilMs = Math.max(schedule.untilMs, msOf(boundary.startTicks))
  const run = scheduleRun(onAir, boundary, { ...schedule, untilMs })
  if (isUnseen(timeline, run, nowMs, live)) return { kind: 'planned', run }
  // An ad break at the end would be announced too soon for some nodes: it is joined after one segment of slate.
  const slate = { ...slateFor(schedule.slates.rescue, 1), startTicks: boundary.startTicks }
  const pieces = [slate, ...scheduleFrom(endOfPiece(slate), { ...schedule, untilMs })]
  const before = spanUpTo(timeline, boundary.sequence)
  return {
    kind: 'planned',
    run: makeRun(onAir, boundary, numberPieces(pieces, boundary.sequence, before)),
  }
}

/**
 * The schedule takes over: after an override where it now is, where its reach ends, or from the time on that something
 * in it has changed. Such a change is refused while an override is shown: the return will find it.
 */
export function planSchedule(onAir: OnAir, schedule: Schedule, fromMs?: number): PlanResult {
  const reach = reachOf(onAir.timeline)
  if (fromMs !== undefined && reach === undefined)
    return { kind: 'refused', reason: 'not_following_schedule' }
  // Beyond the reach lies the slate without an end; it would stay in front of whatever begins in it.
  const plannedMs = msOf(reach ?? Number.MAX_SAFE_INTEGER)
  return planCut(onAir, fromMs === undefined ? undefined : Math.min(fromMs, plannedMs), (boundary) =>
    scheduleRun(onAir, boundary, schedule),
  )
}

export interface LiveOrder {
  readonly sourceId: string
  readonly slotMs: number
  /** The rescue slate in segments of a slot. */
  readonly fill: Media
  readonly program: Program
  readonly title: string
}

/** A live source takes over, until something else does. */
export function planOverride(
  onAir: OnAir,
  { sourceId, slotMs, fill, program, title }: LiveOrder,
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

/** How long one span of a live source lasts at most: its discontinuities are counted in a log that is kept for 48 hours. */
const LIVE_SPAN_MS = 12 * 3_600_000

/** The same override goes on in a new span, before the log of the old one is forgotten; undefined where it need not. */
export function planRenewal(onAir: OnAir): PlanResult | undefined {
  const span = onAir.timeline.runs.at(-1)?.spans.at(-1)
  if (span?.show.kind !== 'live' || span.airing.program === null) return undefined
  if (msOf(span.startTicks) > onAir.nowMs - LIVE_SPAN_MS) return undefined
  const { sourceId, slotTicks, fill } = span.show
  const { program, title } = span.airing
  return planOverride(onAir, { sourceId, slotMs: slotTicks / TICKS_PER_MS, fill, program, title })
}

/** Where the channel shows that source already, and goes on with the next slot: the one it came with. */
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

/** The rescue slate takes over, until something else does. */
export function planRescue(onAir: OnAir, rescue: Media, program: Program): PlanResult {
  const airing: Airing = { program, component: 0, type: 'SLATE', referenceId: null, title: '' }
  return planCut(onAir, undefined, (boundary) => {
    return makeRun(onAir, boundary, [openSpan(boundary, looped(rescue), airing)])
  })
}

/** The channel goes off the air at the next boundary; a start that nobody has seen yet is taken back. */
export function planStop(onAir: OnAir): PlanResult {
  const { timeline, nowMs } = onAir
  const start = lastStart(timeline)
  if (start !== undefined && start.shownFromTicks >= ticksOf(nowMs + GUARD_MS)) {
    const boundary = { sequence: start.firstSequence, startTicks: start.startTicks }
    return { kind: 'planned', run: makeRun(onAir, boundary, []) }
  }
  return planCut(onAir, undefined, (boundary) => makeRun(onAir, boundary, []))
}

/** The channel goes off the air at the boundary nearest to a time; until then the schedule is planned, if it was not. */
export function planStopAt(onAir: OnAir, schedule: Schedule & { readonly endMs: number }): PlanResult {
  const reach = reachOf(onAir.timeline)
  if (reach !== undefined && schedule.endMs > msOf(reach)) return planSchedule(onAir, schedule, msOf(reach))
  return planCut(onAir, schedule.endMs, (boundary) => makeRun(onAir, boundary, []))
}

function planCut(onAir: OnAir, fromMs: number | undefined, plan: (boundary: Boundary) => Run): PlanResult {
  // Programs begin up to half a GOP beside their time, and the cut is meant where one of them really begins.
  const fromTicks = fromMs === undefined ? undefined : ticksOf(fromMs) + ticksOf(GOP_MS) / 2
  const run = planAtBoundary(onAir, fromTicks, plan)
  return run === undefined ? { kind: 'refused', reason: 'not_on_air' } : { kind: 'planned', run }
}

function scheduleRun(onAir: OnAir, boundary: Boundary, schedule: Schedule): Run {
  const before = spanUpTo(onAir.timeline, boundary.sequence)
  const pieces = scheduleFrom(boundary.startTicks, schedule, before)
  const run = makeRun(onAir, boundary, numberPieces(pieces, boundary.sequence, before))
  return schedule.endMs === undefined ? run : { ...run, isEnd: true }
}

/**
 * The schedule, and after what is laid out of it the rescue slate without an end. A control room that is gone for
 * longer than was planned must not end the channel; as soon as more is planned, it takes the place of the slate.
 */
function scheduleFrom(
  fromTicks: number,
  { programs, slates, untilMs, endMs }: Schedule,
  before?: Span,
): readonly Piece[] {
  const { pieces } = layOut({ fromTicks, untilTicks: ticksOf(endMs ?? untilMs), programs, slates, before })
  if (endMs !== undefined) return pieces
  const last = pieces.at(-1)
  const startTicks = last === undefined ? fromTicks : endOfPiece(last)
  return [...pieces, { ...slateFor(slates.rescue, OPEN_SEGMENTS), startTicks }]
}

const leadOf = (rescue: Media): Omit<Piece, 'startTicks'> =>
  slateFor(rescue, Math.ceil(ticksOf(LEAD_MS) / loopOf(rescue).segmentTicks))

const ticksOfLead = (rescue: Media): number => leadOf(rescue).segments * loopOf(rescue).segmentTicks

const slateFor = (media: Media, segments: number): Omit<Piece, 'startTicks'> => ({
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

const endOfPiece = ({ startTicks, segments, show }: Piece): number =>
  startTicks + offsetOf({ show }, segments)
