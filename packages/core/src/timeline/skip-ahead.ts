import { GOP_MS } from '../media/house-format.ts'
import { ticksOf } from '../time/ticks.ts'
import type { Run } from './run.ts'

/** The media and the discontinuity sequence number of a segment. */
export interface SegmentNumbers {
  readonly sequence: number
  readonly discontinuity: number
}

/**
 * Numbers that a channel cannot have used before a time, whatever it has played since a known run.
 *
 * No segment is shorter than one GOP, and every segment has at most one discontinuity before it. So from the
 * run's first segment on, both numbers rise by at most one per GOP.
 */
export function skipAhead(
  { firstSequence, discontinuity, startTicks }: Pick<Run, 'firstSequence' | 'discontinuity' | 'startTicks'>,
  ticks: number,
): SegmentNumbers {
  const segments = Math.ceil(Math.max(0, ticks - startTicks) / ticksOf(GOP_MS)) + 1
  // A discontinuity number that still depends on a live log is never above the sequence number.
  return { sequence: firstSequence + segments, discontinuity: (discontinuity ?? firstSequence) + segments }
}
