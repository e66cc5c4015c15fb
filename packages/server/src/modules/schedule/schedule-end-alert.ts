import type { Transaction } from '../../platform/database/database.ts'
import type { Channel } from '../channels/index.ts'
import { closeChannelAlert, openChannelAlert } from './channel-alerts.ts'
import { findScheduleEnd } from './program-store.ts'

const DAY_MS = 86_400_000
const SOON_MS = 7 * DAY_MS

const CODE = 'schedule.ending'

/** Opens an alert when the schedule of a channel on the air ends in under seven days, critical in under one. */
export async function watchScheduleEnd(tx: Transaction, channel: Channel, nowMs: number): Promise<void> {
  const endMs = await findScheduleEnd(tx, channel, nowMs)
  const leftMs = (endMs ?? nowMs) - nowMs
  if (channel.status !== 'ON_AIR' || leftMs >= SOON_MS) return closeChannelAlert(tx, channel, CODE, nowMs)
  const severity = leftMs < DAY_MS ? 'CRITICAL' : 'WARNING'
  const message =
    endMs === undefined
      ? 'No program is scheduled: the channel shows only fillers and slates. Schedule programs.'
      : `The schedule ends at ${new Date(endMs).toISOString()}. After that the channel shows only fillers and slates. Schedule more programs.`
  await openChannelAlert(tx, channel, CODE, { severity, message }, nowMs)
}
