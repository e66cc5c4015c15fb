import { isSpare } from '../timeline/reach.ts'
import type { Timeline } from '../timeline/run.ts'
import { endOfSpan, hasNoEnd, startOfSegment } from '../timeline/span.ts'
import type { AiredSegment } from './as-run.ts'

/**
 * What a timeline is going to show from a sequence number on, a span at a time, as far as it has been planned. What comes
 * behind an override without an end is not known.
 */
export function* plannedSegments({ runs }: Timeline, fromSequence: number): Generator<AiredSegment> {
  for (const { spans } of runs) {
    for (const span of spans) {
      if (hasNoEnd(span)) return
      const passed = Math.max(0, fromSequence - span.firstSequence)
      if (passed >= span.segments || isSpare(span)) continue
      const startTicks = startOfSegment(span, passed)
      yield {
        startTicks,
        durationTicks: endOfSpan(span) - startTicks,
        airing: span.airing,
        breakSequence: span.airing.type === 'AD_POD' ? (span.adBreak?.sequence ?? null) : null,
      }
    }
  }
}
