import type { ChannelFields } from '@continuity/core/channels/channel-fields'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isSame } from './is-same.ts'
import { type NamedMedia, requireNamedMedia } from './named-media.ts'
import { recordChannelWrite } from './record-write.ts'
import { requireChannelLocked } from './require-channel.ts'
import { type Channel, updateChannel } from './store.ts'

/**
 * Changes the fields of a channel. `check` is called with the current record, locked.
 * Writing the same values again is not a change: the version stays.
 */
export async function changeChannel(
  tx: Transaction,
  actor: Actor,
  channelId: string,
  changes: Partial<ChannelFields>,
  check: (channel: Channel) => void,
  namedMedia: NamedMedia,
): Promise<Channel> {
  const before = await requireChannelLocked(tx, actor.accountId, channelId)
  check(before)
  if (isSame(before, changes)) return before
  await requireNamedMedia(tx, namedMedia, actor.accountId, changes)
  const after = await updateChannel(tx, before, changes, actor.nowMs)
  await recordChannelWrite(tx, actor, { before, after })
  return after
}
