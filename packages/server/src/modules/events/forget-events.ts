import type { Db } from '../../platform/database/database.ts'
import { forgetBefore } from './store.ts'

/** Who was away for longer reads the records themselves again. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000

/** Few enough that a statement is over at once and nobody waits for its locks. */
const AT_ONCE = 1_000

/**
 * Takes away events that nobody needs any more, of whatever account, and gives
 * how many. A bounded number: who cleans up asks until there are none.
 */
export function forgetEvents(platform: Db, nowMs: number): Promise<number> {
  return forgetBefore(platform, nowMs - KEPT_MS, AT_ONCE)
}
