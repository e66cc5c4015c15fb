import { isAllowed, statusAt } from '@continuity/core/channels/channel-status'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { RecordInUse } from '../../platform/record-errors.ts'
import { recordChannelWrite } from './record-write.ts'
import { requireChannelLocked } from './require-channel.ts'
import { type Channel, markChannelDeleted } from './store.ts'

/** Deletes a channel that is off air, its outputs with it. `check` sees it as it is, under its lock. */
export async function deleteChannel(
  tx: Transaction,
  actor: Actor,
  channelId: string,
  check: (channel: Channel) => void,
): Promise<Channel> {
  const before = await requireChannelLocked(tx, actor.accountId, channelId)
  check(before)
  const status = statusAt(before.status, before.offAirMs, actor.nowMs)
  if (!isAllowed('delete', status)) {
    throw RecordInUse(`The channel is ${status}. Stop it before it is deleted.`)
  }
  await markChannelDeleted(tx, before, actor.nowMs)
  await recordChannelWrite(tx, actor, { before, after: null })
  return before
}
