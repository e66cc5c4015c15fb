import type { PgBoss } from 'pg-boss'
import { settledBy } from './boss.ts'
import type { HeldJob } from './held-job.ts'
import { JobLost } from './job-errors.ts'

/** Four in the time that a silence may last: some may be lost, and one late. */
export const HEARTBEAT_EVERY_MS = 2_000

/**
 * Says for every job in hand that its worker lives. A job that the queue does not
 * know as ours any more is another's, and its run is told to stop.
 *
 * A heartbeat that fails says nothing about the jobs: while the database is gone,
 * nobody else can take them either.
 */
export async function beat(boss: PgBoss, held: Iterable<HeldJob>): Promise<void> {
  const open = [...held].filter(({ phase }) => phase === 'running' || phase === 'finishing')
  for (const [name, jobs] of Map.groupBy(open, ({ claim }) => claim.name)) {
    const claims = jobs.map(({ claim }) => claim)
    const alive = new Set(settledBy(await boss.touch(name, claims)))
    for (const { claim, phase, abort } of jobs) {
      // One that is being finished may be complete already; its transaction knows.
      if (phase === 'running' && !alive.has(claim.id)) abort.abort(new JobLost(claim.id))
    }
  }
}
