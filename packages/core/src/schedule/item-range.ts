import { cutAt } from '../media/cue-points.ts'
import { type Media, ticksBefore } from '../media/media.ts'
import type { ScheduledItem } from './scheduled-program.ts'

/** Segments of media; `end` is exclusive. */
export interface SegmentRange {
  readonly first: number
  readonly end: number
}

/** The segments of an item: from its in to its out, each moved to the nearest boundary, and at least one. */
export function rangeOf({ inMs = 0, outMs }: ScheduledItem, media: Media): SegmentRange {
  const first = Math.min(cutAt(media, inMs).segment, media.segmentCount - 1)
  const end = outMs === undefined ? media.segmentCount : cutAt(media, outMs).segment
  return { first, end: Math.max(first + 1, end) }
}

/** The length of an item that is ready. */
export function ticksOfItem(item: ScheduledItem, media: Media): number {
  const { first, end } = rangeOf(item, media)
  return ticksBefore(media, end) - ticksBefore(media, first)
}
