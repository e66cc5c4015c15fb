import type { LiveView } from './discontinuity.ts'
import {
  endAt,
  findPlaying,
  firstSequenceOf,
  lastIndexBy,
  type Position,
  startAt,
  startTicksOf,
} from './find.ts'
import { firstShownSlot, type LiveBreak } from './live-log.ts'
import type { Timeline } from './run.ts'
import { endOfSpan, type LiveShow, type Span } from './span.ts'
import type { Window } from './window.ts'

/** An ad break in a window. */
export interface ShownBreak {
  /** The sequence number of its first segment, which identifies it. */
  readonly sequence: number
  readonly startTicks: number
  readonly plannedTicks: number
  /** Start of the first segment after it. */
  readonly endTicks: number
  /** Its length as reported at its end. */
  readonly reportedTicks: number
  /** A segment after it is listed, so its end can be reported. */
  readonly isOver: boolean
}

/** Reports the actual end of a break, or the announced one even after a cut. */
export type BreakPolicy = 'ACTUAL' | 'FULL_LENGTH'

/** How far back a break that was cut short may have begun. Longer ones end at the cut. */
const LOOKBACK_TICKS = 3_600 * 90_000

export const lookbackOf = (policy: BreakPolicy): number => (policy === 'ACTUAL' ? 0 : LOOKBACK_TICKS)

/**
 * The breaks of a window, in order: those that overlap it, and one that begins with the segment playing now. A
 * player must know of a break before it begins, so it is announced with the segment before it.
 */
export function breaksIn(
  timeline: Timeline,
  window: Window,
  policy: BreakPolicy,
  live: LiveView,
): readonly ShownBreak[] {
  const fromTicks = window.startTicks - lookbackOf(policy)
  const found = joinParts(stretchesFrom(timeline, fromTicks, window.endTicks, live))
  if (found.length === 0) return []
  const since = onAirSince(timeline, window.firstSequence)
  const begun = found.filter(({ sequence, startTicks }) => since <= sequence && startTicks <= window.endTicks)
  return (
    begun
      .map((it, at) => showBreak(timeline, it, begun[at + 1], window, policy))
      // Inclusive: the first segment after a break carries its end marker.
      .filter(({ endTicks }) => endTicks >= window.startTicks)
  )
}

/**
 * The sequence number at which the channel last started: breaks before it are over. Times are not
 * sufficient: the pre-roll slate of a start may cover time that was listed before the start.
 */
function onAirSince({ runs }: Timeline, sequence: number): number {
  const last = lastIndexBy(runs, firstSequenceOf, sequence)
  return runs.slice(0, last + 1).findLast(({ shownFromTicks }) => shownFromTicks !== null)?.firstSequence ?? 0
}

interface Stretch {
  readonly sequence: number
  readonly startTicks: number
  readonly plannedTicks: number
  readonly endTicks: number
}

function showBreak(
  timeline: Timeline,
  { sequence, startTicks, plannedTicks, endTicks: actualTicks }: Stretch,
  next: Stretch | undefined,
  window: Window,
  policy: BreakPolicy,
): ShownBreak {
  // Another break ends this one early: breaks do not overlap.
  const fullTicks = Math.min(startTicks + plannedTicks, next?.startTicks ?? Number.MAX_SAFE_INTEGER)
  const isMarkedInFull = policy === 'FULL_LENGTH' && plannedTicks <= LOOKBACK_TICKS
  const wantedTicks = isMarkedInFull ? Math.max(actualTicks, fullTicks) : actualTicks
  const endTicks = wantedTicks === actualTicks ? actualTicks : boundaryFrom(timeline, wantedTicks)
  const reportedTicks = wantedTicks - startTicks
  return { sequence, startTicks, plannedTicks, endTicks, reportedTicks, isOver: isOver(endTicks, window) }
}

/** Start of the first segment that begins at or after a time. */
function boundaryFrom(timeline: Timeline, ticks: number): number {
  const at = findPlaying(timeline, ticks)
  if (at === undefined) return ticks
  return startAt(timeline, at) === ticks ? ticks : endAt(timeline, at)
}

/** A segment after the end is listed, or none will follow. Breaks end at segment boundaries. */
const isOver = (endTicks: number, { isEnded, endTicks: listedTicks }: Window): boolean =>
  isEnded || listedTicks > endTicks

function* stretchesFrom(
  { runs }: Timeline,
  fromTicks: number,
  toTicks: number,
  live: LiveView,
): Generator<Stretch> {
  // Includes breaks that end exactly then.
  const first = Math.max(0, lastIndexBy(runs, startTicksOf, fromTicks - 1))
  for (let run = first; run < runs.length; run += 1) {
    const { spans } = runs[run]!
    const firstSpan = run === first ? lastIndexBy(spans, startTicksOf, fromTicks - 1) : 0
    for (let at = Math.max(0, firstSpan); at < spans.length; at += 1) {
      const span = spans[at]!
      if (span.startTicks > toTicks) return
      if (span.show.kind === 'live') yield* liveStretches(span, span.show, live)
      else if (span.adBreak !== null) yield { ...span.adBreak, endTicks: endOfSpan(span) }
    }
  }
}

/** A channel that joins a source during a break has its own break with the remaining length. */
function* liveStretches(span: Span, show: LiveShow, live: LiveView): Generator<Stretch> {
  const endSlot = show.firstSlot + span.segments
  const ticksAt = (slot: number) => span.startTicks + (slot - show.firstSlot) * show.slotTicks
  for (const it of live.findLog(show.sourceId)?.breaks ?? []) {
    const begin = firstShownSlot(it, show)
    const from = Math.max(begin, show.firstSlot)
    const end = Math.min(it.endSlot, endSlot)
    if (from >= end) continue
    yield {
      sequence: span.firstSequence + begin - show.firstSlot,
      startTicks: ticksAt(begin),
      plannedTicks: (plannedEnd(it) - begin) * show.slotTicks,
      endTicks: ticksAt(end),
    }
  }
}

const plannedEnd = ({ firstSlot, plannedSlots }: LiveBreak): number => firstSlot + plannedSlots

/** Joins the parts of a break that is in several spans. */
function joinParts(stretches: Iterable<Stretch>): Stretch[] {
  const joined: Stretch[] = []
  for (const it of stretches) {
    const last = joined.at(-1)
    if (last?.sequence === it.sequence) joined[joined.length - 1] = { ...last, endTicks: it.endTicks }
    else joined.push(it)
  }
  return joined
}

/** Whether an ad break begins with this segment. */
export function breakBeginsAt(timeline: Timeline, at: Position, live: LiveView): boolean {
  const ticks = startAt(timeline, at)
  for (const it of stretchesFrom(timeline, ticks, ticks, live)) if (it.startTicks === ticks) return true
  return false
}
