import { ticksOf } from '../time/ticks.ts'
import { CUT_MARGIN_MS } from './cut-margin.ts'
import { discontinuitiesWithin, discontinuityOfRun, type LiveView } from './discontinuity.ts'
import { endAt, findListed, nextPosition, type Position, sequenceAt } from './find.ts'
import { endTicksOf, type Timeline } from './run.ts'
import { offsetOf, type Span, segmentsEndedBy, startOfSegment } from './span.ts'

/** The part of a timeline that a media playlist lists. */
export interface Window {
  readonly firstSequence: number
  /** Discontinuity number of its first segment. */
  readonly discontinuity: number
  readonly startTicks: number
  readonly endTicks: number
  readonly parts: readonly WindowPart[]
  readonly isEnded: boolean
}

/** The segments `from` to `to` of a span; `to` is exclusive. */
export interface WindowPart {
  readonly span: Span
  readonly from: number
  readonly to: number
  /** Discontinuity number of segment `from`. */
  readonly discontinuity: number
}

/** How long the last playlist of a channel that went off the air is still served. */
export const ENDED_MS = 60_000

/**
 * How long after a channel's last segment its playlists are marked as ended. An end can be revoked until it is
 * reached: no node marks its playlists before it can have received that.
 */
export const END_LISTED_MS = CUT_MARGIN_MS

/**
 * What is listed at a time: the segments that have ended, as few of the last ones as fill `windowTicks`.
 *
 * Undefined if the channel is off the air. A window does not extend before the start of a channel, because
 * there are no segments between a stop and a start.
 */
export function windowAt(
  timeline: Timeline,
  ticks: number,
  windowTicks: number,
  live: LiveView,
): Window | undefined {
  const last = findListed(timeline, ticks)
  if (last === undefined) return undefined
  const run = timeline.runs[last.run]!
  const isLast = run.isEnd && nextPosition(timeline, last) === undefined
  if (isLast && ticks >= endTicksOf(run) + ticksOf(ENDED_MS)) return undefined
  const parts = partsUpTo(timeline, last, windowTicks, live)
  const { span, from, discontinuity } = parts[0]!
  return {
    firstSequence: span.firstSequence + from,
    discontinuity,
    startTicks: startOfSegment(span, from),
    endTicks: endAt(timeline, last),
    parts,
    isEnded: isLast && ticks >= endTicksOf(run) + ticksOf(END_LISTED_MS),
  }
}

/** The sequence number of the first segment that is not listed yet. */
export function publishedUntil(timeline: Timeline, ticks: number): number | undefined {
  const last = findListed(timeline, ticks)
  return last === undefined ? undefined : sequenceAt(timeline, last) + 1
}

function partsUpTo(timeline: Timeline, last: Position, windowTicks: number, live: LiveView): WindowPart[] {
  const parts: WindowPart[] = []
  let missing = windowTicks
  let to = last.segment + 1
  for (let at: Position | undefined = last; at !== undefined; at = spanBefore(timeline, at)) {
    const span = timeline.runs[at.run]!.spans[at.span]!
    if (at !== last) to = span.segments
    const from = firstNeeded(span, to, missing)
    parts.push(partAt(timeline, at, from, to, live))
    missing -= offsetOf(span, to) - offsetOf(span, from)
    if (missing <= 0) break
  }
  return parts.reverse()
}

/** The last `from` at which the segments up to `to` fill the time. */
function firstNeeded(span: Span, to: number, missingTicks: number): number {
  return segmentsEndedBy(span, offsetOf(span, to) - missingTicks)
}

function spanBefore({ runs }: Timeline, { run, span }: Position): Position | undefined {
  if (span > 0) return { run, span: span - 1, segment: 0 }
  if (run === 0 || runs[run]!.shownFromTicks !== null) return undefined
  return { run: run - 1, span: runs[run - 1]!.spans.length - 1, segment: 0 }
}

function partAt(timeline: Timeline, at: Position, from: number, to: number, live: LiveView): WindowPart {
  const span = timeline.runs[at.run]!.spans[at.span]!
  const discontinuity =
    discontinuityOfRun(timeline, at.run, live) + span.discontinuity + discontinuitiesWithin(span, from, live)
  return { span, from, to, discontinuity }
}

export const endOfPart = ({ span, to }: WindowPart): number => startOfSegment(span, to)
