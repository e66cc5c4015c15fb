import type { LiveView } from './discontinuity.ts'
import { findSequence, nextPosition, spanAt } from './find.ts'
import type { Timeline } from './run.ts'
import { airingOf, type Shown, shownAt } from './shown.ts'
import { type Airing, offsetOf } from './span.ts'

/** One segment of a channel, and as what it is aired. */
export interface Segment {
  readonly sequence: number
  readonly startTicks: number
  readonly durationTicks: number
  readonly shown: Shown
  readonly airing: Airing
}

/** The segments of a timeline with these sequence numbers, the last not among them. */
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
    yield {
      sequence,
      startTicks: span.startTicks + offset,
      durationTicks: offsetOf(span, at.segment + 1) - offset,
      shown,
      airing: airingOf(span, shown),
    }
    at = nextPosition(timeline, at) ?? findSequence(timeline, sequence + 1)
  }
}
