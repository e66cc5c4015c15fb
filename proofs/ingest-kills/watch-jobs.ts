import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'

/** A row of the queue. */
interface Job {
  readonly id: string
  readonly attempt: number
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'failed'
  /** False while a job that failed has to wait before it is tried again. */
  readonly isDue: boolean
  /** The last one of its worker. */
  readonly heartbeat: string | null
}

interface LostJob {
  readonly job: Job
  /** Since the kill. A job of the worker that was not killed then, and is lost later, counts from its last heartbeat. */
  readonly sinceMs: number
  /** When other workers could take it. */
  readonly freedMs?: number
  /** When a job that had never run was started instead. */
  readonly overtakenMs?: number | undefined
}

export interface Takeovers {
  /** Records the jobs that run when a worker is killed. */
  recordKill(): Promise<void>
  /** Of each lost job, the time until other workers could take it. */
  readonly freedMs: readonly number[]
  /** Of each lost job, the time until its next attempt: it may have to wait until a worker has a free slot. */
  readonly tookMs: readonly number[]
  /** Lost jobs that waited beside jobs that had never run. */
  readonly queued: ReadonlySet<string>
  /** Lost jobs that still waited a second after a job that had never run was started. */
  readonly overtaken: ReadonlySet<string>
  stop(): Promise<void>
}

const EVERY_MS = 100

/** Two workers may take jobs at the same moment, in any order. */
const AT_THE_SAME_TIME_MS = 1_000

/** Measures from the queue's rows how long lost jobs wait for their next attempt. */
export function watchTakeovers(database: Database): Takeovers {
  const waiting = new Map<string, LostJob>()
  const freedMs: number[] = []
  const tookMs: number[] = []
  const queued = new Set<string>()
  const overtaken = new Set<string>()
  let unstarted = new Set<string>()
  const stopping = new AbortController()

  const poll = async () => {
    const jobs = new Map((await listJobs(database)).map((job) => [job.id, job]))
    const nowMs = performance.now()
    const hasStarted = [...unstarted].some((id) => jobs.get(id)?.state !== 'created')
    unstarted = new Set([...jobs.values()].filter(({ state }) => state === 'created').map(({ id }) => id))
    for (const [id, lost] of waiting) {
      const now = jobs.get(id)
      if (now === undefined || (now.state === 'completed' && now.attempt === lost.job.attempt)) {
        waiting.delete(id)
      } else if (now.attempt > lost.job.attempt) {
        freedMs.push((lost.freedMs ?? nowMs) - lost.sinceMs)
        tookMs.push(nowMs - lost.sinceMs)
        waiting.delete(id)
      } else if (now.state === 'retry') {
        if (!now.isDue) continue
        if (unstarted.size > 0) queued.add(`${id} ${now.attempt}`)
        // A worker may have looked for a job before this one was free.
        const isOvertaken = hasStarted && nowMs - (lost.freedMs ?? nowMs) > AT_THE_SAME_TIME_MS
        const overtakenMs = lost.overtakenMs ?? (isOvertaken ? nowMs : undefined)
        if (nowMs - (overtakenMs ?? nowMs) > AT_THE_SAME_TIME_MS) overtaken.add(`${id} ${now.attempt}`)
        waiting.set(id, { ...lost, freedMs: lost.freedMs ?? nowMs, overtakenMs })
      } else if (now.state === 'active' && now.heartbeat !== lost.job.heartbeat) {
        waiting.set(id, { job: now, sinceMs: nowMs })
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
    freedMs,
    tookMs,
    queued,
    overtaken,
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
    select id, retry_count as attempt, state, start_after <= now() as "isDue", heartbeat_on::text as heartbeat
      from pgboss.job where name = 'package_asset'`.execute(database.platform)
  return rows
}
