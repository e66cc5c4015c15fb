import { loopOf, type Media } from '../media/media.ts'
import { ticksOfItem } from './item-range.ts'
import type { ScheduledItem } from './scheduled-program.ts'
import { segmentsToReach } from './slate.ts'

/**
 * The length of each item in the time that they share.
 *
 * A pod is rounded up to whole segments of the ad slate, because sold ads are not cut. This must not push the
 * last item out of a window that all items fit: without room, a pod is rounded down, and the next pod gets the
 * remainder.
 */
export function lengthsOf(items: readonly ScheduledItem[], roomTicks: number, ad: Media): readonly number[] {
  const requestedTicks = items.reduce((sum, item) => sum + requestedOf(item), 0)
  let spareTicks = Math.max(0, roomTicks - requestedTicks)
  return items.map((item) => {
    const requested = requestedOf(item)
    if (item.type !== 'AD_POD') return requested
    const ticks = segmentsOfPod(ad, requested, spareTicks) * loopOf(ad).segmentTicks
    spareTicks -= ticks - requested
    return ticks
  })
}

function requestedOf(item: ScheduledItem): number {
  const { type, media, declaredTicks } = item
  return type === 'AD_POD' || media === null ? declaredTicks : ticksOfItem(item, media)
}

/** The spare time is negative after a pod that took a whole segment without having room for it. */
function segmentsOfPod(ad: Media, requestedTicks: number, spareTicks: number): number {
  const { segmentTicks } = loopOf(ad)
  const whole = segmentsToReach(ad, requestedTicks)
  const most = Math.floor((requestedTicks + spareTicks) / segmentTicks)
  return Math.max(1, Math.min(whole, most))
}
