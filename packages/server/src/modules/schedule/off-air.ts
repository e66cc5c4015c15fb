import { msOf } from '@continuity/core/time/ticks'
import { endTicksOf } from '@continuity/core/timeline/run'
import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { clearDue, setDue } from '../../platform/due/due-rows.ts'
import { type Channel, changeStatus } from '../channels/index.ts'
import { closeChannelAlerts } from './channel-alerts.ts'
import type { Committed } from './commit-run.ts'

/** Marks the channel PENDING_OFFLINE until the end of its timeline. */
export async function setOffAir(
  tx: Transaction,
  channel: Channel,
  { timeline }: Pick<Committed, 'timeline'>,
  nowMs: number,
  actor: Actor = platformActor(channel.accountId, nowMs),
): Promise<Channel> {
  const last = timeline.runs.at(-1)
  const offAirMs = Math.max(nowMs, last === undefined ? nowMs : msOf(endTicksOf(last)))
  const { accountId, channelId } = channel
  await setDue(tx, { kind: 'channel_off', subjectId: channelId, accountId, dueMs: offAirMs })
  if (channel.status === 'PENDING_OFFLINE' && channel.offAirMs === offAirMs) return channel
  return changeStatus(tx, { ...actor, nowMs }, channel, { status: 'PENDING_OFFLINE', offAirMs })
}

/** Marks the channel OFFLINE from now on. */
export async function goOff(tx: Transaction, actor: Actor, channel: Channel): Promise<Channel> {
  await endPlans(tx, actor, channel)
  return changeStatus(tx, actor, channel, {
    status: 'OFFLINE',
    override: { status: 'NOT_STARTED', sourceId: null, scheduledMs: null },
    offAirMs: null,
  })
}

/** Clears the timers and closes the alerts of a channel that goes off the air. */
export async function endPlans(tx: Transaction, actor: Actor, channel: Channel): Promise<void> {
  for (const kind of ['plan_channel', 'start_channel', 'channel_off'] as const)
    await clearDue(tx, { kind, subjectId: channel.channelId })
  await closeChannelAlerts(tx, actor, channel)
}
