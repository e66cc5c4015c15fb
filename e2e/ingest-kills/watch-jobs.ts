import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'

/** A job that a worker runs, and its attempt number. */
interface RunningJob {
  readonly id: string
  readonly attempt: number
}

export interface Takeovers {
  /** Records the jobs that run when a worker is killed. */
  recordKill(): Promise<void>
  /** Times from a kill to the next attempt of each lost job. */
  readonly tookMs: readonly number[]
  stop(): Promise<void>
}

const EVERY_MS = 100

/** Measures from the queue's rows how long lost jobs wait for their next attempt. */
export function watchTakeovers(database: Database): Takeovers {
  const waiting = new Map<string, RunningJob & { readonly sinceMs: number }>()
  const tookMs: number[] = []
  const stopping = new AbortController()

  const poll = async () => {
    const jobs = new Map((await listJobs(database)).map((job) => [job.id, job]))
    for (const { id, attempt, sinceMs } of waiting.values()) {
      const now = jobs.get(id)
      const isDone = now === undefined || (now.state === 'completed' && now.attempt === attempt)
      const isRunAgain = now !== undefined && now.attempt > attempt
      if (isRunAgain) tookMs.push(performance.now() - sinceMs)
      if (isDone || isRunAgain) waiting.delete(id)
    }
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await poll().catch(() => {}) // the database may be down
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  })()
  return {
    tookMs,
    async recordKill() {
      // After a restart of PostgreSQL, statements fail at once until the pool has found it again.
      const jobs = await pollUntil(() => listJobs(database).catch(() => undefined), 30_000)
      if (jobs === undefined) throw new Error('The jobs could not be read for 30 seconds')
      const sinceMs = performance.now()
      for (const { id, attempt, state } of jobs) {
        if (state === 'active' && !waiting.has(id)) waiting.set(id, { id, attempt, sinceMs })
      }
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

async function listJobs(database: Database): Promise<(RunningJob & { readonly state: string })[]> {
  const { rows } = await sql<RunningJob & { state: string }>`
    select id, retry_count as attempt, state from pgboss.job where name = 'package_asset'`.execute(
    database.platform,
  )
  return rows
}
