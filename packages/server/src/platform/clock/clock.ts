import { type ClockCourse, courseAt } from '@continuity/core/time/clock-course'

/** Milliseconds since 1970. Only entry points (HTTP, jobs, timers) read it; everything else takes the time as an argument. */
export type Clock = () => number

export const realClock: Clock = () => Date.now()

/** A clock that follows a course set from outside. All processes of a machine show the same time. */
export function steeredClock(getCourse: () => ClockCourse): Clock {
  return () => courseAt(getCourse(), Date.now())
}

/** A clock that is wrong by a constant, for tests. */
export const skewedClock = (clock: Clock, skewMs: number): Clock =>
  skewMs === 0 ? clock : () => clock() + skewMs
