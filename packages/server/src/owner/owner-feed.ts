import { beginEpoch, readDatabaseState } from '../modules/schedule/index.ts'
import type { Db } from '../platform/database/database.ts'

/** The owner's operations on the feed. */
export function ownerFeed(owner: Db, nowMs: number) {
  return {
    /** After a restore of the database: updates published from here on take precedence over all earlier ones. */
    async beginFeedEpoch(): Promise<{ readonly epoch: number; readonly before: number }> {
      const { epoch: before } = await readDatabaseState(owner)
      const reason = 'begun by the owner'
      const epoch = await beginEpoch(owner, { expected: before, above: before, reason }, nowMs)
      // Another process was faster, which has the same effect.
      return { epoch: epoch ?? (await readDatabaseState(owner)).epoch, before }
    },
  }
}
