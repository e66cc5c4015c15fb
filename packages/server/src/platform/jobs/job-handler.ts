import type { Db, Transaction } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import type { DataOf, JobData, JobMap } from './job-map.ts'

/** One run of a job, as its handler sees it. */
export interface JobRun<Data extends JobData = JobData> {
  readonly id: string
  /** 1 for the first. */
  readonly attempt: number
  /** When this one fails, the job is a dead letter. */
  readonly isLastTry: boolean
  readonly data: Data
  readonly accountId: string | undefined
  readonly requestId: string | undefined
  /** When it was taken. */
  readonly nowMs: number
  /** As the account that the job works for. What is written here is not undone when the job is lost. */
  readonly db: Db
  /** Aborted when the run is of no use any more: the job was lost, lasts too long, or the worker stops. */
  readonly signal: AbortSignal
  /** Every line bears the job, its account and the request that left it. */
  readonly logger: Logger
  /**
   * Does what the job is for and ends it, both or neither: one transaction, which
   * fails with `JobLost` when another worker has the job by now. Keep it short,
   * and do slow work before. A handler that never calls it has its job ended the same way.
   */
  finish<T>(effect: (tx: Transaction, nowMs: number) => Promise<T>): Promise<T>
}

export type JobHandler<Data extends JobData = JobData> = (run: JobRun<Data>) => Promise<void>

/** A handler for each kind: a kind without one does not compile. */
export type JobHandlers<M extends JobMap> = { readonly [Name in keyof M]: JobHandler<DataOf<M[Name]>> }
