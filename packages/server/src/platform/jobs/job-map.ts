/**
 * What a job is given: ids and plain values. The rows of the queue belong to no
 * account and are read by every worker, so nothing secret may stand in them.
 */
export type JobData = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** For a job that needs to know nothing. */
export type NoData = Readonly<Record<string, never>>

export interface JobOptions {
  /** How often it is tried again when it failed, or when its worker died. */
  readonly retries: number
  /** The longest that one run may last. PostgreSQL's queue takes no more than 24 hours. */
  readonly limitMs: number
  /** How many may run in one process. Long jobs leave places free for short ones this way. */
  readonly atOnce: number
  /** Of those with the same key only one waits; another is left out, because the one that waits will see to it. */
  readonly oneWaiting: boolean
}

declare const given: unique symbol

/** A kind of job: how it is run, and what it is given. */
export interface JobKind<Data extends JobData = JobData> extends JobOptions {
  readonly [given]?: Data // only in the types
}

/** Every kind of job, by its name. */
export type JobMap = Readonly<Record<string, JobKind>>

export type JobName<M extends JobMap> = keyof M & string
export type DataOf<Kind> = Kind extends JobKind<infer Data> ? Data : never

/**
 * Ten tries: with the pauses in between, which grow to five minutes, an outage of
 * half an hour is outlasted, and a job that kills its worker is not tried for ever.
 */
const usual: JobOptions = { retries: 10, limitMs: 15 * 60_000, atOnce: Infinity, oneWaiting: false }

export function job<Data extends JobData>(options: Partial<JobOptions> = {}): JobKind<Data> {
  return { ...usual, ...options }
}
