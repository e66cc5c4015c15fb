import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import type { Channel } from '../channels/index.ts'

/** Alerts of a channel. */
const codes = ['channel.start_waiting', 'schedule.ending', 'schedule.no_filler'] as const

type ChannelAlert = (typeof codes)[number]

export async function openChannelAlert(
  tx: Transaction,
  channel: Channel,
  code: ChannelAlert,
  trouble: { readonly severity: 'WARNING' | 'CRITICAL'; readonly message: string },
  nowMs: number,
): Promise<void> {
  await openAlert(tx, platformActor(channel.accountId, nowMs), { ...subjectOf(channel, code), ...trouble })
}

export async function closeChannelAlert(
  tx: Transaction,
  channel: Channel,
  code: ChannelAlert,
  nowMs: number,
): Promise<void> {
  await closeAlert(tx, platformActor(channel.accountId, nowMs), subjectOf(channel, code))
}

/** Closes all alerts of a channel. */
export async function closeChannelAlerts(tx: Transaction, actor: Actor, channel: Channel): Promise<void> {
  for (const code of codes) await closeAlert(tx, actor, subjectOf(channel, code))
}

const subjectOf = ({ channelId }: Channel, code: ChannelAlert) => ({
  code,
  subjectType: 'linear_channel',
  subjectId: channelId,
})
