import { isAllowed, statusAt } from '@continuity/core/channels/channel-status'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { RecordInUse } from '../../platform/database/record-errors.ts'
import { recordChannelWrite } from './record-write.ts'
import { requireChannelLocked } from './require-channel.ts'
import { type Channel, markChannelDeleted } from './store.ts'

/** Deletes a channel that is OFFLINE, with its outputs. `check` is called with the current record, locked. */
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
    throw RecordInUse(`The channel is ${status}. Stop it before deleting it.`)
  }
  await markChannelDeleted(tx, before, actor.nowMs)
  await recordChannelWrite(tx, actor, { before, after: null })
  return before
}
