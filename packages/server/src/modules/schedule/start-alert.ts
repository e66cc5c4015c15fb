import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import type { Channel } from '../channels/index.ts'

/** Slates of a new account take half of it. */
const PATIENCE_MS = 60_000

const subjectOf = ({ channelId }: Channel) => ({
  code: 'channel.start_waiting',
  subjectType: 'linear_channel',
  subjectId: channelId,
})

/** Tells when a channel that was ordered onto the air does not get there. */
export async function watchStart(tx: Transaction, channel: Channel, nowMs: number): Promise<void> {
  if (nowMs - channel.updatedMs < PATIENCE_MS) return
  await openAlert(tx, platformActor(channel.accountId, nowMs), {
    ...subjectOf(channel),
    severity: 'CRITICAL',
    message:
      'The channel was started and waits for its slates. See that a worker runs, or give it slates whose videos are READY.',
  })
}

export const closeStart = (tx: Transaction, actor: Actor, channel: Channel): Promise<void> =>
  closeAlert(tx, actor, subjectOf(channel))
