import type { Timeline } from './run.ts'
import { OPEN_SEGMENTS } from './span.ts'

/**
 * How far a timeline has been planned: where the rescue slate begins that stands behind every schedule. Undefined
 * where something else has no end: an override, or a channel that is off the air.
 */
export function reachOf({ runs }: Timeline): number | undefined {
  const last = runs.at(-1)?.spans.at(-1)
  if (last === undefined || last.airing.program !== null || last.segments < OPEN_SEGMENTS / 2)
    return undefined
  return last.startTicks
}
