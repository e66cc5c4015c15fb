import type { PlanRules } from './plan-rules.ts'
import { findOccurrences, type Interval } from './segments.ts'
import type { Zone } from './zone-time.ts'

/**
 * Returns until when a rating is allowed from a moment on: that moment itself if it is not allowed then. Null is the
 * rating of videos without one.
 */
export type RatingLimit = (rating: string | null, ms: number) => number

export function createRatingLimit(rules: PlanRules, zone: Zone, range: Interval): RatingLimit {
  const windows = rules.ratings.map(({ from, to, ...window }) => ({
    ...window,
    intervals: findOccurrences({ days: window.days, times: [{ from, to }] }, zone, range),
  }))
  const forbidden = new Map<string | null, readonly Interval[]>()
  const findForbidden = (rating: string | null): readonly Interval[] =>
    windows
      .filter(({ allowed, unrated }) => (rating === null ? !unrated : !allowed.includes(rating)))
      .flatMap(({ intervals }) => intervals)
      .toSorted((one, other) => one.startMs - other.startMs)
  return (rating, ms) => {
    const intervals = forbidden.get(rating) ?? findForbidden(rating)
    forbidden.set(rating, intervals)
    const next = intervals.find(({ endMs }) => endMs > ms)
    return next === undefined ? Infinity : Math.max(ms, next.startMs)
  }
}
