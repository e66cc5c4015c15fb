import { layOut } from '@continuity/core/schedule/lay-out'
import { ticksOf } from '@continuity/core/time/ticks'
import type { Schedule } from '@continuity/core/timeline/plan'
import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import type { Channel } from '../channels/index.ts'

const subjectOf = ({ channelId }: Channel) => ({
  code: 'schedule.no_filler',
  subjectType: 'linear_channel',
  subjectId: channelId,
})

/** Tells when a channel fills long gaps with its rescue slate, for want of fillers. */
export async function watchFill(
  tx: Transaction,
  channel: Channel,
  { programs, slates, untilMs, endMs }: Schedule,
  nowMs: number,
): Promise<void> {
  const actor = platformActor(channel.accountId, nowMs)
  const order = { fromTicks: ticksOf(nowMs), untilTicks: ticksOf(endMs ?? untilMs), programs, slates }
  const unfilled = slates.fillers.length > 0 ? [] : layOut(order).warnings.filter(isUnfilled)
  if (unfilled.length === 0) return closeFill(tx, actor, channel)
  const minutes = Math.round(unfilled.reduce((sum, { ticks }) => sum + ticks, 0) / 90_000 / 60)
  await openAlert(tx, actor, {
    ...subjectOf(channel),
    severity: 'WARNING',
    message: `Of what is planned, ${minutes} minutes show the rescue slate. Give the channel a filler playlist, or hand over programs for that time.`,
  })
}

export const closeFill = (tx: Transaction, actor: Actor, channel: Channel): Promise<void> =>
  closeAlert(tx, actor, subjectOf(channel))

const isUnfilled = ({ code }: { readonly code: string }): boolean => code === 'no_filler'
