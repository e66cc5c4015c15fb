import { type ClockCourse, courseAt } from '@continuity/core/time/clock-course'

/** Milliseconds since 1970. Read once at the door of a request or a job, then passed down. */
export type Clock = () => number

export const realClock: Clock = () => Date.now()

/** A clock that follows a course set from outside. Every process of one machine reads the same. */
export function steeredClock(getCourse: () => ClockCourse): Clock {
  return () => courseAt(getCourse(), Date.now())
}
