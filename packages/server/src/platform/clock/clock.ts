import { type ClockCourse, courseAt } from '@continuity/core/time/clock-course'

/** Milliseconds since 1970. Whoever takes a request or a job reads it, once; everything below is given the value. */
export type Clock = () => number

export const realClock: Clock = () => Date.now()

/** A clock that follows a course set from outside. Every process of one machine reads the same. */
export function steeredClock(getCourse: () => ClockCourse): Clock {
  return () => courseAt(getCourse(), Date.now())
}

/** A clock that is wrong by a constant, for tests. */
export const skewedClock = (clock: Clock, skewMs: number): Clock =>
  skewMs === 0 ? clock : () => clock() + skewMs
