import { beginEpoch, readDatabaseState } from '../modules/schedule/index.ts'
import type { Db } from '../platform/database/database.ts'

/** The feed of all channels, as far as the owner can act on it. */
export function ownerFeed(owner: Db, nowMs: number) {
  return {
    /** After a restore of the database: what is published from here on takes precedence over everything before. */
    async beginFeedEpoch(): Promise<{ readonly epoch: number; readonly before: number }> {
      const { epoch: before } = await readDatabaseState(owner)
      const reason = 'begun by the owner'
      const epoch = await beginEpoch(owner, { expected: before, above: before, reason }, nowMs)
      // Another process was faster, which is as good.
      return { epoch: epoch ?? (await readDatabaseState(owner)).epoch, before }
    },
  }
}
