import { enqueueInto } from './enqueue.ts'
import { type JobMap, job, type NoData } from './job-map.ts'

/** Everything that is done later, with what it is given. Each needs a handler in app/build-jobs.ts. */
export const allJobs = {
  forget_expired: job<NoData>({ retries: 3, limitMs: 10 * 60_000, atOnce: 1, oneWaiting: true }),
} as const satisfies JobMap

export type AllJobs = typeof allJobs

/** Leaves a job in the caller's transaction: rolled back, there never was one. */
export const enqueue = enqueueInto<AllJobs>()
