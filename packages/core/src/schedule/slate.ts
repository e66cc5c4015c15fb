import { GOP_MS } from '../media/house-format.ts'
import { loopOf, type Media } from '../media/media.ts'
import { ticksOf } from '../time/ticks.ts'
import type { AssetShow } from '../timeline/span.ts'
import type { Slates } from './scheduled-program.ts'

/** Half a segment of a slate: filling cannot bring a start nearer to its time. */
export const NEAR_TICKS = ticksOf(GOP_MS) / 2

export const looped = (media: Media): AssetShow => ({ kind: 'asset', media, firstSegment: 0, isLooped: true })

/**
 * The number of segments of a slate whose end is nearest to the target; of two ends that are equally near, the
 * later.
 */
export function segmentsNearest(slate: Media, ticks: number): number {
  const { segmentTicks } = loopOf(slate)
  return Math.max(0, Math.floor((2 * ticks + segmentTicks) / (2 * segmentTicks)))
}

/** The number of segments of a slate needed to reach the target. */
export const segmentsToReach = (slate: Media, ticks: number): number =>
  Math.max(0, Math.ceil(ticks / loopOf(slate).segmentTicks))

/**
 * A clip of a single segment is repeated as a whole; if it is longer than a GOP, it fills a gap too coarsely.
 * The rescue slate, which has many segments, is used instead.
 */
export function evenSlates(slates: Slates): Slates {
  const isEven = loopOf(slates.timeFill).segmentTicks <= 2 * NEAR_TICKS
  return isEven ? slates : { ...slates, timeFill: slates.rescue }
}
