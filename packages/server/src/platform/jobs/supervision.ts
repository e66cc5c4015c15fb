import type { PgBoss } from 'pg-boss'
import { SUPERVISE_SECONDS } from './boss.ts'
import { HEARTBEAT_EVERY_MS } from './heartbeats.ts'

export type WorkerState = 'opening' | 'waiting' | 'open' | 'stopping'

/** A worker that was silent for so long has lost its jobs: before pg-boss would act, whose minimum is ten seconds. */
const SILENT_SECONDS = 8

/**
 * Time for a heartbeat of every worker after an outage: another worker may reconnect some seconds later, after the
 * timeout of a dead connection.
 */
const PATIENCE_MS = 2 * HEARTBEAT_EVERY_MS + 4_700

/** A gap in the timer this long means a fault of the database, of this process or of the machine. */
const GAP_MS = 6 * SUPERVISE_SECONDS * 1_000

/** After a restart of the server connections are refused at once, so that no worker hangs on a dead one. */
const PATIENCE_AFTER_START_MS = 3 * HEARTBEAT_EVERY_MS

/**
 * Releases the jobs of silent workers at once.
 *
 * Left to pg-boss, the retry delay of a job grows with each attempt, as it should after a failure. But a job whose
 * worker was killed has not failed, and a client waits for it: killed five times, it waited for half a minute. It still
 * counts as an attempt, so a job that kills its workers runs out of them; the last attempt is left to pg-boss.
 */
export async function freeLostJobs(boss: Pick<PgBoss, 'getDb'>): Promise<void> {
  await boss.getDb().executeSql(`
    update pgboss.job
       set state = 'retry', start_after = pgboss.job_now(), heartbeat_on = null
     where state = 'active' and retry_count < retry_limit
       and heartbeat_on + ${SILENT_SECONDS} * interval '1s' < pgboss.job_now()`)
}

/**
 * Frees the jobs of silent workers and runs the maintenance of pg-boss.
 *
 * After a database outage every worker has been silent, and the first to supervise would free the jobs of live
 * workers. So a worker that noticed an outage waits until every worker had time for a heartbeat. A restart of the server
 * is detected by its start time, also by a worker that missed it. A worker that has just started and found the database
 * at once supervises on its first run.
 */
export function createSupervision({ boss, state, log, now }: SupervisionOptions): () => Promise<void> {
  let lastMs = now()
  let answeredMs = now()
  let waitUntilMs = 0
  return async () => {
    const nowMs = now()
    if (state() === 'waiting' || nowMs - lastMs > GAP_MS) waitUntilMs = nowMs + PATIENCE_MS
    lastMs = nowMs
    if (state() !== 'open') return
    try {
      const ageMs = await ageOfServer(boss)
      if (ageMs < nowMs - answeredMs) waitUntilMs = 0
      answeredMs = nowMs
      if (ageMs < PATIENCE_AFTER_START_MS || nowMs < waitUntilMs) return
      await freeLostJobs(boss)
      await boss.supervise()
    } catch (error) {
      log(error)
      waitUntilMs = now() + PATIENCE_MS
    }
  }
}

export interface SupervisionOptions {
  readonly boss: Pick<PgBoss, 'getDb' | 'supervise'>
  readonly state: () => WorkerState
  readonly log: (error: unknown) => void
  /** A monotonic clock. */
  readonly now: () => number
}

async function ageOfServer(boss: Pick<PgBoss, 'getDb'>): Promise<number> {
  const text = `select extract(epoch from now() - pg_postmaster_start_time()) * 1000 as ms`
  const { rows } = (await boss.getDb().executeSql(text)) as { rows: readonly { ms: string }[] }
  return Number(rows[0]!.ms)
}
