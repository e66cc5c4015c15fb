import { endTicksOf, type Timeline } from './run.ts'
import { hasNoEnd, type Span } from './span.ts'

/**
 * How far a schedule has been planned: to where the rescue slate begins that stands behind it, or to the end of a
 * channel that goes off the air. Undefined where no schedule is followed, but an override that has no end.
 */
export function reachOf({ runs }: Timeline): number | undefined {
  const last = runs.at(-1)
  if (last === undefined) return undefined
  if (last.isEnd) return endTicksOf(last)
  const span = last.spans.at(-1)!
  return isSpare(span) ? span.startTicks : undefined
}

/** The slate that stands behind a schedule, for the case that nobody plans any more. */
export const isSpare = (span: Span): boolean => span.airing.program === null && hasNoEnd(span)
