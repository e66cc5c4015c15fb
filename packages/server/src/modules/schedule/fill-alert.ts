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
  const message = `The channel has no filler playlist, so its rescue slate fills ${lengthText(minutes)} of what is planned. Give it a filler playlist, or schedule programs for that time.`
  await openChannelAlert(tx, channel, CODE, { severity: 'WARNING', message }, nowMs)
}

/** "26 hours", "1 hour 5 minutes", "40 minutes". */
function lengthText(minutes: number): string {
  const parts = [plural(Math.floor(minutes / 60), 'hour'), plural(minutes % 60, 'minute')]
  return parts.filter((part) => !part.startsWith('0 ')).join(' ') || 'under a minute'
}

const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

const isUnfilled = ({ code }: { readonly code: string }): boolean => code === 'no_filler'
