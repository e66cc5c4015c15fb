import type { PgBoss } from 'pg-boss'
import { settledBy } from './boss.ts'
import { JobLost } from './job-errors.ts'
import type { RunningJob } from './running-job.ts'

/** Four within the silence limit: some may be lost, and one late. */
export const HEARTBEAT_EVERY_MS = 2_000

/**
 * Renews the heartbeat of every running job. The run of a job that the queue no longer assigns to this worker is
 * aborted.
 *
 * A failed heartbeat aborts nothing: while the database is unavailable, no other worker can take the jobs either.
 */
export async function sendHeartbeats(boss: PgBoss, running: Iterable<RunningJob>): Promise<void> {
  const open = [...running].filter(({ phase }) => phase === 'running' || phase === 'finishing')
  for (const [name, jobs] of Map.groupBy(open, ({ claim }) => claim.name)) {
    const claims = jobs.map(({ claim }) => claim)
    const alive = new Set(settledBy(await boss.touch(name, claims)))
    for (const { claim, phase, abort } of jobs) {
      // A job that is finishing may be complete already; its transaction decides.
      if (phase === 'running' && !alive.has(claim.id)) abort.abort(new JobLost(claim.id))
    }
  }
}
