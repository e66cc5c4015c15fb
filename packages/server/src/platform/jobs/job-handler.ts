import type { Db, Transaction } from '../database/database.ts'
import type { Logger } from '../log/logger.ts'
import type { DataOf, JobData, JobMap } from './job-map.ts'

/** One run of a job, as passed to its handler. */
export interface JobRun<Data extends JobData = JobData> {
  readonly id: string
  /** 1 for the first. */
  readonly attempt: number
  /** When this one fails, the job becomes a dead letter. */
  readonly isLastTry: boolean
  readonly data: Data
  readonly accountId: string | undefined
  readonly requestId: string | undefined
  /** When it was fetched. */
  readonly nowMs: number
  /** As the account of the job. Writes outside of `finish` are not undone when the job is lost. */
  readonly db: Db
  /** Aborted when the job was lost or takes too long, or when the worker stops. */
  readonly signal: AbortSignal
  /** Every line has the job, its account and the request that enqueued it. */
  readonly logger: Logger
  /**
   * Writes the effect of the job and completes it in one transaction, which fails with `JobLost` when another worker
   * has the job by now. Keep it short, and do slow work before. A handler that never calls it has its job completed
   * the same way.
   */
  finish<T>(effect: (tx: Transaction, nowMs: number) => Promise<T>): Promise<T>
}

export type JobHandler<Data extends JobData = JobData> = (run: JobRun<Data>) => Promise<void>

/** A handler for each kind: a kind without one does not compile. */
export type JobHandlers<M extends JobMap> = { readonly [Name in keyof M]: JobHandler<DataOf<M[Name]>> }
