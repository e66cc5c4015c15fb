import type { Db } from '../database/database.ts'
import type { JobHandler } from './job-handler.ts'
import type { NoData } from './job-map.ts'

/** Deletes a bounded number of expired rows and returns their number. */
export type PurgeExpired = (db: Db, nowMs: number) => Promise<number>

/**
 * Calls each purge until it finds no more rows. Every call is a short transaction of its own, so that no table is
 * locked for long; an interrupted run loses nothing.
 */
export function purgeExpired(purges: Readonly<Record<string, PurgeExpired>>): JobHandler<NoData> {
  return async ({ db, nowMs, signal, logger }) => {
    for (const [what, purge] of Object.entries(purges)) {
      let purged = 0
      for (let more = 1; more > 0; purged += more) {
        signal.throwIfAborted()
        more = await purge(db, nowMs)
      }
      if (purged > 0) logger.info({ what, rows: purged }, 'purged expired rows')
    }
  }
}
