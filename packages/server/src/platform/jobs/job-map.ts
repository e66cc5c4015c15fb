/**
 * The data of a job: ids and plain values. The rows of the queue belong to no account and every worker reads them, so
 * they must not contain secrets.
 */
export type JobData = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** For a job without data. */
export type NoData = Readonly<Record<string, never>>

export interface JobOptions {
  /** How often it is retried when it failed or its worker died. */
  readonly retries: number
  /** The longest that one run may last. pg-boss allows 24 hours at most. */
  readonly limitMs: number
  /** How many may run in one process, so that long jobs leave slots for short ones. */
  readonly atOnce: number
  /** Only one job per key waits; another is not enqueued, because the waiting one covers it. */
  readonly oneWaiting: boolean
}

declare const given: unique symbol

/** A kind of job: its options and the type of its data. */
export interface JobKind<Data extends JobData = JobData> extends JobOptions {
  readonly [given]?: Data // only in the types
}

/** Every kind of job, by its name. */
export type JobMap = Readonly<Record<string, JobKind>>

export type JobName<M extends JobMap> = keyof M & string
export type DataOf<Kind> = Kind extends JobKind<infer Data> ? Data : never

/**
 * Ten retries: with delays that grow to five minutes they outlast an outage of half an hour, and a job that kills its
 * worker is not retried without end.
 */
const usual: JobOptions = { retries: 10, limitMs: 15 * 60_000, atOnce: Infinity, oneWaiting: false }

export function job<Data extends JobData>(options: Partial<JobOptions> = {}): JobKind<Data> {
  return { ...usual, ...options }
}
