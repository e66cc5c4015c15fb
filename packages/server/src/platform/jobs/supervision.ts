import type { PgBoss } from 'pg-boss'
import { SUPERVISE_SECONDS } from './boss.ts'
import { HEARTBEAT_EVERY_MS } from './heartbeats.ts'

export type WorkerState = 'opening' | 'waiting' | 'open' | 'stopping'

/** A worker that was silent for so long has lost its jobs: we look before pg-boss, which allows no less than ten. */
const SILENT_SECONDS = 8

/**
 * Time for a heartbeat of every worker after an outage: it may find the way some seconds later than we, and hang on a
 * dead connection until that times out.
 */
const PATIENCE_MS = 2 * HEARTBEAT_EVERY_MS + 4_700

/** So many turns were left out that something was wrong: with the database, with this process, or with the machine. */
const GAP_MS = 6 * SUPERVISE_SECONDS * 1_000

/** After a restart of the server its connections are refused at once, so that nobody hangs on a dead one. */
const HEARD_AFTER_START_MS = 3 * HEARTBEAT_EVERY_MS

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
       and heartbeat_on + ${SILENT_SECONDS} * interval '1s' < pgboss.job_now()`)
}

/**
 * Finds the jobs of workers that fell silent, and all else that the queue needs.
 *
 * After an outage of the database every worker has been silent, and whoever looks
 * first would take the jobs of all who live. So one who notices it waits, until
 * all have had time to be heard. Where the server itself was started again, it
 * tells when, and nobody has to have been there to know.
 * One who has just started and found the database at once has noticed nothing,
 * and looks with its first turn.
 */
export function createSupervision({ boss, state, tell, now }: SupervisionOptions): () => Promise<void> {
  let lastMs = now()
  let heardMs = now()
  let waitUntilMs = 0
  return async () => {
    const nowMs = now()
    if (state() === 'waiting' || nowMs - lastMs > GAP_MS) waitUntilMs = nowMs + PATIENCE_MS
    lastMs = nowMs
    if (state() !== 'open') return
    try {
      const ageMs = await ageOfServer(boss)
      if (ageMs < nowMs - heardMs) waitUntilMs = 0
      heardMs = nowMs
      if (ageMs < HEARD_AFTER_START_MS || nowMs < waitUntilMs) return
      await freeLostJobs(boss)
      await boss.supervise()
    } catch (error) {
      tell(error)
      waitUntilMs = now() + PATIENCE_MS
    }
  }
}

export interface SupervisionOptions {
  readonly boss: Pick<PgBoss, 'getDb' | 'supervise'>
  readonly state: () => WorkerState
  readonly tell: (error: unknown) => void
  /** Any clock that only goes forward. */
  readonly now: () => number
}

async function ageOfServer(boss: Pick<PgBoss, 'getDb'>): Promise<number> {
  const text = `select extract(epoch from now() - pg_postmaster_start_time()) * 1000 as ms`
  const { rows } = (await boss.getDb().executeSql(text)) as { rows: readonly { ms: string }[] }
  return Number(rows[0]!.ms)
}
