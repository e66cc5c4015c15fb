import type { PgBoss } from 'pg-boss'
import { SUPERVISE_SECONDS } from './boss.ts'
import { HEARTBEAT_EVERY_MS } from './heartbeats.ts'

export type WorkerState = 'opening' | 'waiting' | 'open' | 'stopping'

/** Time for a heartbeat of every worker, and for another should it find the way a little later than we. */
const PATIENCE_MS = 2 * HEARTBEAT_EVERY_MS + 2_000

/** Two turns were left out, so something was wrong: with the database, with this process, or with the machine. */
const GAP_MS = 3 * SUPERVISE_SECONDS * 1_000

/**
 * Makes the jobs of workers that fell silent free to be taken, at once.
 *
 * Left to pg-boss, a job waits longer after each attempt, as it should after a failure. But a job that was in hand when
 * its worker was killed has not failed, and its partner waits for it: killed five times, it lay for half a minute. It
 * still counts as an attempt, so a job that itself kills its workers runs out of them; the last is left to pg-boss.
 */
export async function freeLostJobs(boss: Pick<PgBoss, 'getDb'>): Promise<void> {
  await boss.getDb().executeSql(`
    update pgboss.job
       set state = 'retry', start_after = pgboss.job_now(), heartbeat_on = null
     where state = 'active' and retry_count < retry_limit
       and heartbeat_on + heartbeat_seconds * interval '1s' < pgboss.job_now()`)
}

/**
 * Finds the jobs of workers that fell silent, and all else that the queue needs.
 *
 * After an outage of the database every worker has been silent, and whoever looks
 * first would take the jobs of all who live. So one who notices it waits, until
 * all have had time to be heard. One who has just started and found the database
 * at once has noticed nothing, and looks with its first turn.
 */
export function createSupervision(
  boss: Pick<PgBoss, 'getDb' | 'supervise'>,
  state: () => WorkerState,
  tell: (error: unknown) => void,
): () => Promise<void> {
  let lastMs = performance.now()
  let waitUntilMs = 0
  return async () => {
    const nowMs = performance.now()
    if (state() === 'waiting' || nowMs - lastMs > GAP_MS) waitUntilMs = nowMs + PATIENCE_MS
    lastMs = nowMs
    if (state() !== 'open' || nowMs < waitUntilMs) return
    try {
      await freeLostJobs(boss)
      await boss.supervise()
    } catch (error) {
      tell(error)
      waitUntilMs = performance.now() + PATIENCE_MS
    }
  }
}
