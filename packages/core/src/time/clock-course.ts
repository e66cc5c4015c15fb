/**
 * How a steered clock runs: at `anchorRealMs` of the machine's clock it shows
 * `anchorMs`, and from there it goes on at `rate` (0 stands still, 1 is real time).
 */
export interface ClockCourse {
  readonly anchorRealMs: number
  readonly anchorMs: number
  readonly rate: number
}

/** What a clock on this course shows, in whole milliseconds. */
export function courseAt(course: ClockCourse, realMs: number): number {
  return Math.floor(course.anchorMs + (realMs - course.anchorRealMs) * course.rate)
}

export type SteerOrder =
  | { readonly kind: 'set'; readonly toMs: number }
  | { readonly kind: 'advance'; readonly byMs: number }
  | { readonly kind: 'rate'; readonly rate: number }

export type SteerResult =
  | { readonly kind: 'steered'; readonly course: ClockCourse }
  | { readonly kind: 'refused'; readonly reason: 'backwards' | 'not_a_number' }

/**
 * The course after an order.
 *
 * A clock never goes back: what was published under a later time would be
 * contradicted by an earlier one, which no real machine does to us either.
 */
export function steer(course: ClockCourse, order: SteerOrder, realMs: number): SteerResult {
  const nowMs = courseAt(course, realMs)
  const next = { anchorRealMs: realMs, anchorMs: nowMs, rate: course.rate }
  if (order.kind === 'rate') {
    if (!Number.isFinite(order.rate)) return { kind: 'refused', reason: 'not_a_number' }
    if (order.rate < 0) return { kind: 'refused', reason: 'backwards' }
    return { kind: 'steered', course: { ...next, rate: order.rate } }
  }
  const toMs = order.kind === 'set' ? order.toMs : nowMs + order.byMs
  if (!Number.isSafeInteger(toMs)) return { kind: 'refused', reason: 'not_a_number' }
  if (toMs < nowMs) return { kind: 'refused', reason: 'backwards' }
  return { kind: 'steered', course: { ...next, anchorMs: toMs } }
}
