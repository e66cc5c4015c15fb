import type { Db } from '../../platform/database/database.ts'
import { dropDays, makeDay } from './store.ts'

export const DAY_MS = 86_400_000

/** How long sums are kept, in days; 0 means permanently. */
export interface AudienceRetention {
  readonly hoursKeptDays: number
  readonly minutesKeptDays: number
}

/** Partitions are created ahead, so that batches can be added even if this job has not run for a weekend. */
const AHEAD_DAYS = 3

const DROPPED_AT_ONCE = 10

/** Creates the partitions of the next days and drops expired ones. */
export async function keepAudienceDays(db: Db, retention: AudienceRetention, nowMs: number): Promise<void> {
  const today = Math.floor(nowMs / DAY_MS)
  for (let day = today - 1; day <= today + AHEAD_DAYS; day += 1) await makeDay(db, day)
  const { hoursKeptDays, minutesKeptDays } = retention
  if (hoursKeptDays > 0) await dropDays(db, 'audience_hours', today - hoursKeptDays, DROPPED_AT_ONCE)
  if (minutesKeptDays > 0) await dropDays(db, 'audience_minutes', today - minutesKeptDays, DROPPED_AT_ONCE)
}
