import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'

/** A job that a worker runs, and the number of the attempt. */
interface Held {
  readonly id: string
  readonly attempt: number
}

export interface Takeovers {
  /** A worker is killed now. */
  mark(): Promise<void>
  /** From a mark to the next attempt of a job that was running then, of those that were lost. */
  readonly tookMs: readonly number[]
  stop(): Promise<void>
}

const EVERY_MS = 100

/** Watches from outside how long lost jobs wait for their next attempt, by the rows of the queue. */
export function watchTakeovers(database: Database): Takeovers {
  const waiting = new Map<string, Held & { readonly sinceMs: number }>()
  const tookMs: number[] = []
  const stopping = new AbortController()

  const look = async () => {
    const jobs = new Map((await listJobs(database)).map((job) => [job.id, job]))
    for (const { id, attempt, sinceMs } of waiting.values()) {
      const now = jobs.get(id)
      const isDone = now === undefined || (now.state === 'completed' && now.attempt === attempt)
      const isTaken = now !== undefined && now.attempt > attempt
      if (isTaken) tookMs.push(performance.now() - sinceMs)
      if (isDone || isTaken) waiting.delete(id)
    }
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch(() => {}) // the database may be the thing that is gone
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  })()
  return {
    tookMs,
    async mark() {
      const sinceMs = performance.now()
      for (const { id, attempt, state } of await listJobs(database)) {
        if (state === 'active' && !waiting.has(id)) waiting.set(id, { id, attempt, sinceMs })
      }
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

async function listJobs(database: Database): Promise<(Held & { readonly state: string })[]> {
  const { rows } = await sql<Held & { state: string }>`
    select id, retry_count as attempt, state from pgboss.job where name = 'package_asset'`.execute(
    database.platform,
  )
  return rows
}
