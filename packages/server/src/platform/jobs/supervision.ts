import type { PgBoss } from 'pg-boss'
import { SUPERVISE_SECONDS } from './boss.ts'
import { HEARTBEAT_EVERY_MS } from './heartbeats.ts'

/** Time for a heartbeat of every worker, and for another should it find the way a little later than we. */
const PATIENCE_MS = 2 * HEARTBEAT_EVERY_MS + 2_000

/** Two turns were left out, so something was wrong: with the database, with this process, or with the machine. */
const GAP_MS = 3 * SUPERVISE_SECONDS * 1_000

/**
 * Finds the jobs of workers that fell silent, and all else that the queue needs.
 *
 * After an outage of the database every worker has been silent, and whoever looks
 * first would take the jobs of all who live. So one who notices it waits, until
 * all have had time to be heard.
 */
export function createSupervision(
  boss: Pick<PgBoss, 'supervise'>,
  isOpen: () => boolean,
  tell: (error: unknown) => void,
): () => Promise<void> {
  let lastMs = performance.now()
  let waitUntilMs = 0
  return async () => {
    const nowMs = performance.now()
    if (!isOpen() || nowMs - lastMs > GAP_MS) waitUntilMs = nowMs + PATIENCE_MS
    lastMs = nowMs
    if (nowMs < waitUntilMs) return
    try {
      await boss.supervise()
    } catch (error) {
      tell(error)
      waitUntilMs = performance.now() + PATIENCE_MS
    }
  }
}
