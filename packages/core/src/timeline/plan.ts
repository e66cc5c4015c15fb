import { GOP_MS, TICKS_PER_MS } from '../packaging/house-format.ts'
import { layOut } from '../schedule/lay-out.ts'
import type { Piece } from '../schedule/piece.ts'
import type { ScheduledProgram, Slates } from '../schedule/scheduled-program.ts'
import { msOf, ticksOf } from '../time/ticks.ts'
import { type Boundary, planAtBoundary } from './boundary.ts'
import { findSequence, spanAt } from './find.ts'
import { GUARD_MS } from './guard.ts'
import { slotShownAt } from './live-log.ts'
import { makeRun, nextSequence } from './make-run.ts'
import { loopOf, type Media } from './media.ts'
import { numberPieces } from './number-pieces.ts'
import type { OnAir } from './on-air.ts'
import { reachOf } from './reach.ts'
import { endTicksOf, type Run } from './run.ts'
import { type Airing, OPEN_SEGMENTS, offsetOf, type Program, type Span } from './span.ts'

export type PlanResult =
  | { readonly kind: 'planned'; readonly run: Run }
  | { readonly kind: 'refused'; readonly reason: 'not_on_air' }

export interface Schedule {
  /** In any order. */
  readonly programs: readonly ScheduledProgram[]
  readonly slates: Slates
  /** How far it is laid out at least. */
  readonly untilMs: number
}

/** The length of slate that a channel starts with, so that its first playlist is whole. */
const LEAD_MS = 32_000

/** A channel goes on the air, or comes back to it: a lead of slate, and then the schedule where it now is. */
export function planStart(onAir: OnAir, schedule: Schedule): Run {
  const { timeline, nowMs } = onAir
  const { rescue } = schedule.slates
  const lead = looped(rescue, Math.ceil(ticksOf(LEAD_MS) / loopOf(rescue).segmentTicks))
  const leadTicks = lead.segments * loopOf(rescue).segmentTicks
  const last = timeline.runs.at(-1)
  const freeTicks = last === undefined ? 0 : endTicksOf(last) + leadTicks
  const shownFromTicks = Math.max(ticksOf(nowMs + GUARD_MS), freeTicks)
  const startTicks = shownFromTicks - leadTicks
  const pieces = [{ ...lead, startTicks }, ...scheduleFrom(shownFromTicks, schedule)]
  const boundary = { sequence: nextSequence(timeline), startTicks }
  return { ...makeRun(onAir, boundary, numberPieces(pieces, boundary.sequence)), shownFromTicks }
}

/**
 * The schedule takes over: after an override where it now is, where its end was reached, or from the time on that
 * something in it has changed.
 */
export function planSchedule(onAir: OnAir, schedule: Schedule, fromMs?: number): PlanResult {
  // Beyond what was planned lies the slate without an end; it would stay in front of whatever begins in it.
  const plannedMs = msOf(reachOf(onAir.timeline) ?? Number.MAX_SAFE_INTEGER)
  return planCut(onAir, fromMs === undefined ? undefined : Math.min(fromMs, plannedMs), (boundary) => {
    const pieces = scheduleFrom(boundary.startTicks, schedule)
    return makeRun(onAir, boundary, numberPieces(pieces, boundary.sequence))
  })
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

/** Where the channel shows that source already, and goes on with the next slot: the one it came with. */
function visitOf(
  { timeline }: OnAir,
  { sequence }: Boundary,
  sourceId: string,
  slot: number,
): number | undefined {
  const before = findSequence(timeline, sequence - 1)
  if (before === undefined) return undefined
  const { show } = spanAt(timeline, before)
  if (show.kind !== 'live' || show.sourceId !== sourceId) return undefined
  return show.firstSlot + before.segment + 1 === slot ? show.joinedSlot : undefined
}

/** The rescue slate takes over, until something else does. */
export function planRescue(onAir: OnAir, rescue: Media, program: Program): PlanResult {
  const airing: Airing = { program, component: 0, type: 'SLATE', referenceId: null, title: '' }
  return planCut(onAir, undefined, (boundary) => {
    const show = { kind: 'asset', media: rescue, firstSegment: 0, isLooped: true } as const
    return makeRun(onAir, boundary, [openSpan(boundary, show, airing)])
  })
}

/** The channel goes off the air: at the next boundary, or at the one nearest to a time. */
export function planStop(onAir: OnAir, atMs?: number): PlanResult {
  return planCut(onAir, atMs, (boundary) => makeRun(onAir, boundary, []))
}

function planCut(
  { timeline, live, nowMs }: OnAir,
  fromMs: number | undefined,
  plan: (boundary: Boundary) => Run,
): PlanResult {
  // Programs begin up to half a GOP beside their time, and the cut is meant where one of them really begins.
  const fromTicks = fromMs === undefined ? {} : { fromTicks: ticksOf(fromMs) + ticksOf(GOP_MS) / 2 }
  const run = planAtBoundary(timeline, { nowMs, ...fromTicks }, live, plan)
  return run === undefined ? { kind: 'refused', reason: 'not_on_air' } : { kind: 'planned', run }
}

/**
 * The schedule, and after what is laid out of it the rescue slate without an end. A control room that is gone for
 * longer than was planned must not end the channel; as soon as more is planned, it takes the place of the slate.
 */
function scheduleFrom(fromTicks: number, { programs, slates, untilMs }: Schedule): Piece[] {
  const { pieces } = layOut({ fromTicks, untilTicks: ticksOf(untilMs), programs, slates })
  const last = pieces.at(-1)
  const startTicks = last === undefined ? fromTicks : endOfPiece(last)
  return [...pieces, { ...looped(slates.rescue, OPEN_SEGMENTS), startTicks }]
}

const looped = (media: Media, segments: number): Omit<Piece, 'startTicks'> => ({
  segments,
  show: { kind: 'asset', media, firstSegment: 0, isLooped: true },
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
