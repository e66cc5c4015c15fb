import type { Db } from '../../platform/database/database.ts'
import { dropDays, makeDay } from './store.ts'

export const DAY_MS = 86_400_000

/** How long sums are kept, in days; 0: for ever. */
export interface AudienceRetention {
  readonly hoursKeptDays: number
  readonly minutesKeptDays: number
}

/** A database that is gone for a weekend finds its partitions when it is back. */
const AHEAD_DAYS = 3

const DROPPED_AT_ONCE = 10

/** Makes the partitions of the days to come, and drops those that are too old. */
export async function keepAudienceDays(db: Db, retention: AudienceRetention, nowMs: number): Promise<void> {
  const today = Math.floor(nowMs / DAY_MS)
  for (let day = today - 1; day <= today + AHEAD_DAYS; day += 1) await makeDay(db, day)
  const { hoursKeptDays, minutesKeptDays } = retention
  if (hoursKeptDays > 0) await dropDays(db, 'audience_hours', today - hoursKeptDays, DROPPED_AT_ONCE)
  if (minutesKeptDays > 0) await dropDays(db, 'audience_minutes', today - minutesKeptDays, DROPPED_AT_ONCE)
}
