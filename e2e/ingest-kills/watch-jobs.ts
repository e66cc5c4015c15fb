import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'

/** A row of the queue. */
interface Job {
  readonly id: string
  readonly attempt: number
  readonly state: string
  /** The last one of its worker. */
  readonly heartbeat: string | null
}

export interface Takeovers {
  /** Records the jobs that run when a worker is killed. */
  recordKill(): Promise<void>
  /**
   * Of each lost job, the time from the kill to its next attempt. A job of the worker that was not killed then, and was
   * lost later, counts from its last heartbeat.
   */
  readonly tookMs: readonly number[]
  stop(): Promise<void>
}

const EVERY_MS = 100

/** Measures from the queue's rows how long lost jobs wait for their next attempt. */
export function watchTakeovers(database: Database): Takeovers {
  const waiting = new Map<string, { readonly job: Job; readonly sinceMs: number }>()
  const tookMs: number[] = []
  const stopping = new AbortController()

  const poll = async () => {
    const jobs = new Map((await listJobs(database)).map((job) => [job.id, job]))
    for (const [id, { job, sinceMs }] of waiting) {
      const now = jobs.get(id)
      const isDone = now === undefined || (now.state === 'completed' && now.attempt === job.attempt)
      const isRunAgain = now !== undefined && now.attempt > job.attempt
      if (isRunAgain) tookMs.push(performance.now() - sinceMs)
      if (isDone || isRunAgain) waiting.delete(id)
      else if (now.state === 'active' && now.heartbeat !== job.heartbeat) {
        waiting.set(id, { job: now, sinceMs: performance.now() })
      }
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
      for (const job of jobs) {
        if (job.state === 'active' && !waiting.has(job.id)) waiting.set(job.id, { job, sinceMs })
      }
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

async function listJobs(database: Database): Promise<Job[]> {
  const { rows } = await sql<Job>`
    select id, retry_count as attempt, state, heartbeat_on::text as heartbeat
      from pgboss.job where name = 'package_asset'`.execute(database.platform)
  return rows
}
