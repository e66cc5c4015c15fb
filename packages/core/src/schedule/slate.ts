import { GOP_MS } from '../packaging/house-format.ts'
import { ticksOf } from '../time/ticks.ts'
import { loopOf, type Media } from '../timeline/media.ts'
import type { AssetShow } from '../timeline/span.ts'
import type { Slates } from './scheduled-program.ts'

/** Half of a slate's segment. By filling, nothing can be brought nearer to its time. */
export const NEAR_TICKS = ticksOf(GOP_MS) / 2

export const looped = (media: Media): AssetShow => ({ kind: 'asset', media, firstSegment: 0, isLooped: true })

/** How many segments of a slate end nearest to the target. Of two ends that are equally near it is the later. */
export function segmentsNearest(slate: Media, ticks: number): number {
  const { segmentTicks } = loopOf(slate)
  return Math.max(0, Math.floor((2 * ticks + segmentTicks) / (2 * segmentTicks)))
}

/** How many segments of a slate it takes to reach the target. */
export const segmentsToReach = (slate: Media, ticks: number): number =>
  Math.max(0, Math.ceil(ticks / loopOf(slate).segmentTicks))

/**
 * A clip of a single segment is repeated as a whole, and where that is longer than a GOP it fills a gap too roughly. The
 * rescue slate, which has many segments, takes its place.
 */
export function evenSlates(slates: Slates): Slates {
  const isEven = loopOf(slates.timeFill).segmentTicks <= 2 * NEAR_TICKS
  return isEven ? slates : { ...slates, timeFill: slates.rescue }
}
