import type { LiveView } from './discontinuity.ts'
import { findSequence, nextPosition, spanAt } from './find.ts'
import { type FindLog, findBreak, firstShownSlot } from './live-log.ts'
import type { Timeline } from './run.ts'
import { airingOf, type Shown, shownAt } from './shown.ts'
import { type Airing, offsetOf, type Span } from './span.ts'

/** One segment of a channel and its airing. */
export interface Segment {
  readonly sequence: number
  readonly startTicks: number
  readonly durationTicks: number
  readonly shown: Shown
  readonly airing: Airing
  /**
   * Sequence number of the start of the ad break that it belongs to; null if it is in none, or replaced by a
   * slate.
   */
  readonly breakSequence: number | null
}

/** The segments of a timeline between two sequence numbers; `end` is exclusive. */
export function* segmentsBetween(
  timeline: Timeline,
  first: number,
  end: number,
  live: LiveView,
): Generator<Segment> {
  let at = findSequence(timeline, first)
  for (let sequence = first; at !== undefined && sequence < end; sequence += 1) {
    const span = spanAt(timeline, at)
    const offset = offsetOf(span, at.segment)
    const shown = shownAt(span, at.segment, live.findLog)
    const airing = airingOf(span, shown)
    yield {
      sequence,
      startTicks: span.startTicks + offset,
      durationTicks: offsetOf(span, at.segment + 1) - offset,
      shown,
      airing,
      breakSequence: airing.type === 'AD_POD' ? breakAt(span, at.segment, live.findLog) : null,
    }
    at = nextPosition(timeline, at) ?? findSequence(timeline, sequence + 1)
  }
}

/**
 * Up to where it is known what was shown: the first sequence number of the range whose live slot may still get
 * an entry, as far as the log was read; otherwise `end`.
 */
export function knownUntil({ runs }: Timeline, first: number, end: number, { findLog }: LiveView): number {
  for (const { spans } of runs) {
    for (const { show, firstSequence, segments } of spans) {
      if (show.kind !== 'live' || firstSequence >= end || firstSequence + segments <= first) continue
      const known = firstSequence + (findLog(show.sourceId)?.knownUntil ?? 0) - show.firstSlot
      if (known < Math.min(end, firstSequence + segments)) return Math.max(first, firstSequence, known)
    }
  }
  return end
}

/** The same number as in the break's markers, also in a live span. */
function breakAt({ show, firstSequence, adBreak }: Span, at: number, findLog: FindLog): number | null {
  if (show.kind !== 'live') return adBreak?.sequence ?? null
  const log = findLog(show.sourceId)
  const found = log === undefined ? undefined : findBreak(log, show.firstSlot + at)
  if (found === undefined) return null
  return firstSequence + firstShownSlot(found, show) - show.firstSlot
}
