import { randomUUID } from 'node:crypto'
import type { Db } from '../../../platform/database/database.ts'
import type { JobRun } from '../../../platform/jobs/job-handler.ts'
import type { JobData } from '../../../platform/jobs/job-map.ts'
import { createLog } from '../../../platform/log/logger.ts'

/** A run of a job that never calls `finish`. */
export const aJobRun = <Data extends JobData>(
  { db, accountId }: { readonly db: Db; readonly accountId: string },
  data: Data,
  signal: AbortSignal = new AbortController().signal,
): JobRun<Data> => ({
  id: randomUUID(),
  attempt: 1,
  isLastTry: false,
  data,
  accountId,
  requestId: undefined,
  nowMs: 0,
  db,
  signal,
  logger: createLog({ level: 'silent', process: 'test', instance: 'test' }).logger,
  finish: () => Promise.reject(new Error('finish is not expected')),
})
