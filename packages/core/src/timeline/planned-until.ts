import { endTicksOf, type Timeline } from './run.ts'
import { hasNoEnd, type Span } from './span.ts'

/**
 * How far a schedule has been planned: up to the rescue slate that follows it, or to the end of a channel that
 * goes off the air. Undefined during an override, which has no end.
 */
export function plannedUntil({ runs }: Timeline): number | undefined {
  const last = runs.at(-1)
  if (last === undefined) return undefined
  if (last.isEnd) return endTicksOf(last)
  const span = last.spans.at(-1)!
  return isSpare(span) ? span.startTicks : undefined
}

/** The slate after a schedule, shown if planning stops. */
export const isSpare = (span: Span): boolean => span.airing.program === null && hasNoEnd(span)
