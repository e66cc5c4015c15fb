import type { Schedule } from '@continuity/core/planning/plan'
import { layOut } from '@continuity/core/schedule/lay-out'
import { ticksOf } from '@continuity/core/time/ticks'
import type { Transaction } from '../../platform/database/database.ts'
import type { Channel } from '../channels/index.ts'
import { closeChannelAlert, openChannelAlert } from './channel-alerts.ts'

const CODE = 'schedule.no_filler'

/** Opens an alert when a channel fills long gaps with its rescue slate because it has no fillers. */
export async function watchFill(
  tx: Transaction,
  channel: Channel,
  { programs, slates, untilMs, endMs }: Schedule,
  nowMs: number,
): Promise<void> {
  const options = { fromTicks: ticksOf(nowMs), untilTicks: ticksOf(endMs ?? untilMs), programs, slates }
  const unfilled = slates.fillers.length > 0 ? [] : layOut(options).warnings.filter(isUnfilled)
  if (unfilled.length === 0) return closeChannelAlert(tx, channel, CODE, nowMs)
  const minutes = Math.round(unfilled.reduce((sum, { ticks }) => sum + ticks, 0) / 90_000 / 60)
  const message = `Of what is planned, ${minutes} minutes show the rescue slate. Give the channel a filler playlist, or hand over programs for that time.`
  await openChannelAlert(tx, channel, CODE, { severity: 'WARNING', message }, nowMs)
}

const isUnfilled = ({ code }: { readonly code: string }): boolean => code === 'no_filler'
