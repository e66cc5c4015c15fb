import type { Db } from '../../platform/database/database.ts'
import { makeAsRunMonths } from './as-run-store.ts'

/** Without their partitions, entries are recorded all the same, in the one for all other times. */
const AHEAD_MONTHS = 2

/** Each locks the partition for other times for a moment. */
const MADE_AT_ONCE = 12

/** Creates the partitions of the as-run record for this month and the next ones. */
export async function keepAsRunMonths(db: Db, nowMs: number): Promise<void> {
  const now = new Date(nowMs)
  const thisMonth = (now.getUTCFullYear() - 1970) * 12 + now.getUTCMonth()
  await makeAsRunMonths(db, thisMonth + AHEAD_MONTHS, MADE_AT_ONCE)
}
