/**
 * How a steered clock runs: at `anchorRealMs` of the machine's clock it shows `anchorMs`, and from there it
 * advances at `rate` (0 is stopped, 1 is real time).
 */
export interface ClockCourse {
  readonly anchorRealMs: number
  readonly anchorMs: number
  readonly rate: number
}

/** The time of a clock on this course, in whole milliseconds. */
export function courseAt(course: ClockCourse, realMs: number): number {
  return Math.floor(course.anchorMs + (realMs - course.anchorRealMs) * course.rate)
}

export type SteerCommand =
  | { readonly kind: 'set'; readonly toMs: number }
  | { readonly kind: 'advance'; readonly byMs: number }
  | { readonly kind: 'rate'; readonly rate: number }

export type SteerResult =
  | { readonly kind: 'steered'; readonly course: ClockCourse }
  | { readonly kind: 'rejected'; readonly reason: 'backwards' | 'not_a_number' }

/**
 * The course after a command.
 *
 * A clock is never set back: an earlier time would contradict what was published at a later time, and real
 * machines do not do this either.
 */
export function steer(course: ClockCourse, command: SteerCommand, realMs: number): SteerResult {
  const nowMs = courseAt(course, realMs)
  const next = { anchorRealMs: realMs, anchorMs: nowMs, rate: course.rate }
  if (command.kind === 'rate') {
    if (!Number.isFinite(command.rate)) return { kind: 'rejected', reason: 'not_a_number' }
    if (command.rate < 0) return { kind: 'rejected', reason: 'backwards' }
    return { kind: 'steered', course: { ...next, rate: command.rate } }
  }
  const toMs = command.kind === 'set' ? command.toMs : nowMs + command.byMs
  if (!Number.isSafeInteger(toMs)) return { kind: 'rejected', reason: 'not_a_number' }
  if (toMs < nowMs) return { kind: 'rejected', reason: 'backwards' }
  return { kind: 'steered', course: { ...next, anchorMs: toMs } }
}
