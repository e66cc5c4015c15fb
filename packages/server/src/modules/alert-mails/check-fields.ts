import { findQuietHoursFault, isTimeZone } from '@continuity/core/alerts/quiet-hours'
import { QuietHoursInvalid, TimeZoneUnknown } from './errors.ts'
import type { RecipientFields } from './store.ts'

/** Rules that the contract cannot express. */
export function checkFields({
  timeZone,
  quietHours,
}: Pick<RecipientFields, 'timeZone' | 'quietHours'>): void {
  if (!isTimeZone(timeZone)) throw TimeZoneUnknown(timeZone)
  const fault = findQuietHoursFault(quietHours)
  if (fault !== undefined) throw QuietHoursInvalid(fault)
}
