import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import type { Channel } from '../channels/index.ts'
import { findScheduleEnd } from './program-store.ts'

const DAY_MS = 86_400_000
const SOON_MS = 7 * DAY_MS

const subjectOf = ({ channelId }: Pick<Channel, 'channelId'>) => ({
  code: 'schedule.ending',
  subjectType: 'linear_channel',
  subjectId: channelId,
})

/** Tells when the schedule of a channel on the air ends in under seven days, and louder in under one. */
export async function watchScheduleEnd(tx: Transaction, channel: Channel, nowMs: number): Promise<void> {
  const { accountId, status } = channel
  const actor = platformActor(accountId, nowMs)
  const endMs = await findScheduleEnd(tx, channel, nowMs)
  const leftMs = (endMs ?? nowMs) - nowMs
  if (status !== 'ON_AIR' || leftMs >= SOON_MS) return closeScheduleEnd(tx, actor, channel)
  await openAlert(tx, actor, {
    ...subjectOf(channel),
    severity: leftMs < DAY_MS ? 'CRITICAL' : 'WARNING',
    message: `${endMs === undefined ? 'No program is scheduled' : `The schedule ends at ${new Date(endMs).toISOString()}`}. After it the channel shows fill; hand over more programs.`,
  })
}

export const closeScheduleEnd = (tx: Transaction, actor: Actor, channel: Channel): Promise<void> =>
  closeAlert(tx, actor, subjectOf(channel))
