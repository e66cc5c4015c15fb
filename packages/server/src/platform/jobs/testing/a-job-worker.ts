import type { TestContext } from 'node:test'
import pg from 'pg'
import { aCapturedLog, type CapturedLog } from '../../../http/testing/captured-log.ts'
import { createMetrics, type Metrics } from '../../metrics/metrics.ts'
import { aReleasedDatabase, type TestDatabase } from '../../testing/a-database.ts'
import { enqueueInto } from '../enqueue.ts'
import { installJobs } from '../install-jobs.ts'
import type { JobHandlers } from '../job-handler.ts'
import { type JobMap, job } from '../job-map.ts'
import { type JobWorker, type JobWorkerOptions, startJobWorker } from '../job-worker.ts'

export const testJobs = {
  ring: job<{ bell: string }>(),
  sing: job<{ bell: string }>({ atOnce: 1 }),
  tidy: job<{ bell: string }>({ oneWaiting: true }),
  try_once: job<{ bell: string }>({ retries: 0 }),
  try_twice: job<{ bell: string }>({ retries: 1 }),
} as const satisfies JobMap

export type TestJobs = typeof testJobs

export const enqueueTest = enqueueInto<TestJobs>()

export const NOW_MS = Date.parse('2026-03-01T18:00:00Z')

export const platformJob = { accountId: undefined, requestId: undefined }

/** A database with the queues of the test jobs, and a table for the effects of handlers. */
export async function aJobDatabase(t?: TestContext): Promise<TestDatabase> {
  const it = t === undefined ? await aReleasedDatabase() : await aReleasedDatabase(t)
  await asOwner(it, async (client) => {
    await installJobs(client, testJobs)
    await client.query(
      'create table rung (bell text not null); grant select, insert on rung to continuity_service',
    )
  })
  return it
}

export async function asOwner<T>(it: TestDatabase, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: it.ownerUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export interface TestWorker extends JobWorker {
  readonly log: CapturedLog
  readonly metrics: Metrics
}

const unexpected = () => Promise.reject(new Error('no such job was expected'))

/** A worker that ends with its test. Jobs without a handler here fail. */
export function aJobWorker(
  t: TestContext,
  it: TestDatabase,
  handlers: Partial<JobHandlers<TestJobs>>,
  over: Partial<JobWorkerOptions<TestJobs>> = {},
): TestWorker {
  const log = aCapturedLog()
  const metrics = createMetrics()
  const worker = startJobWorker<TestJobs>({
    jobs: testJobs,
    handlers: {
      ring: unexpected,
      sing: unexpected,
      tidy: unexpected,
      try_once: unexpected,
      try_twice: unexpected,
      ...handlers,
    },
    databaseUrl: it.serviceUrl,
    database: it.database,
    jobsAtOnce: 4,
    clock: () => NOW_MS,
    logger: log.logger,
    metrics,
    ...over,
  })
  let stopped: Promise<number> | undefined
  const stop = (graceMs: number) => {
    stopped ??= worker.stop(graceMs)
    return stopped
  }
  t.after(() => stop(0))
  return { log, metrics, ping: worker.ping, stop }
}
