import { isSpare } from '../timeline/planned-until.ts'
import type { Timeline } from '../timeline/run.ts'
import { endOfSpan, hasNoEnd, startOfSegment } from '../timeline/span.ts'
import type { AiredSegment } from './as-run.ts'

/**
 * What a timeline will show from a sequence number on, one span at a time, as far as it is planned. What
 * follows an override without an end is unknown.
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
