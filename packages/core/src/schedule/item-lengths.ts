import { loopOf, type Media } from '../timeline/media.ts'
import type { ScheduledItem } from './scheduled-program.ts'
import { segmentsToReach } from './slate.ts'

/**
 * How long each item is in the time that they have together.
 *
 * A pod is rounded up to whole segments of the ad slate, because ads that were sold are not cut. But what that adds must
 * not push the last item out of a window that all of them fit: where there is no room for it, a pod is rounded down, and
 * what it leaves is there for the next one.
 */
export function lengthsOf(items: readonly ScheduledItem[], roomTicks: number, ad: Media): readonly number[] {
  const askedTicks = items.reduce((sum, item) => sum + askedOf(item), 0)
  let spareTicks = Math.max(0, roomTicks - askedTicks)
  return items.map((item) => {
    const asked = askedOf(item)
    if (item.type !== 'AD_POD') return asked
    const ticks = segmentsOfPod(ad, asked, spareTicks) * loopOf(ad).segmentTicks
    spareTicks -= ticks - asked
    return ticks
  })
}

function askedOf({ type, media, declaredTicks }: ScheduledItem): number {
  return type === 'AD_POD' ? declaredTicks : (media?.durationTicks ?? declaredTicks)
}

/** Less than nothing is to spare where a pod before took a whole segment that it had no room for. */
function segmentsOfPod(ad: Media, askedTicks: number, spareTicks: number): number {
  const { segmentTicks } = loopOf(ad)
  const whole = segmentsToReach(ad, askedTicks)
  const most = Math.floor((askedTicks + spareTicks) / segmentTicks)
  return Math.max(1, Math.min(whole, most))
}
