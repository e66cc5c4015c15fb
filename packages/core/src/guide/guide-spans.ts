import { isSpare } from '../timeline/planned-until.ts'
import { endTicksOf, type Timeline } from '../timeline/run.ts'
import { endOfSpan } from '../timeline/span.ts'
import type { GuideSpan } from './guide-entry.ts'

/**
 * A timeline for the guide: without gaps, also while the channel was off the air, and as far as it has been
 * planned. The slate after that belongs to no program.
 */
export function guideSpansOf({ runs }: Timeline): GuideSpan[] {
  return runs.flatMap(({ spans, startTicks }, at) => {
    const before = at === 0 ? startTicks : endTicksOf(runs[at - 1]!)
    const aired = spans
      .filter((span) => !isSpare(span))
      .map((span) => ({
        program: span.airing.program,
        startTicks: span.startTicks,
        endTicks: endOfSpan(span),
      }))
    return before === startTicks
      ? aired
      : [{ program: null, startTicks: before, endTicks: startTicks, isOffAir: true }, ...aired]
  })
}
