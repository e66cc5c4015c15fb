import type { Db } from '../../platform/database/database.ts'
import { purgeEventsBefore } from './store.ts'

/** A follower that was offline for longer must reload the records. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000

/** Small batches keep statements short and their locks brief. */
const AT_ONCE = 1_000

/** Deletes a batch of expired events of all accounts and returns their number. Call until it returns 0. */
export function purgeEvents(platform: Db, nowMs: number): Promise<number> {
  return purgeEventsBefore(platform, nowMs - KEPT_MS, AT_ONCE)
}
