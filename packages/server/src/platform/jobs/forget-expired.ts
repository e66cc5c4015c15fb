import type { Db } from '../database/database.ts'
import type { JobHandler } from './job-handler.ts'
import type { NoData } from './job-map.ts'

/** Deletes some rows that nobody needs any more, a bounded number, and gives how many there were. */
export type ForgetExpired = (db: Db, nowMs: number) => Promise<number>

/**
 * Calls each until it finds nothing more. Every call is a short transaction of its
 * own, so that no table is locked for long; a run that is cut off has lost nothing.
 */
export function forgetExpired(forgetters: Readonly<Record<string, ForgetExpired>>): JobHandler<NoData> {
  return async ({ db, nowMs, signal, logger }) => {
    for (const [what, forget] of Object.entries(forgetters)) {
      let forgotten = 0
      for (let more = 1; more > 0; forgotten += more) {
        signal.throwIfAborted()
        more = await forget(db, nowMs)
      }
      if (forgotten > 0) logger.info({ what, rows: forgotten }, 'expired rows were forgotten')
    }
  }
}
