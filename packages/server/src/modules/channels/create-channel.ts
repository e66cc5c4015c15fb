import { CHANNELS_MAXIMUM, type ChannelDraft, fillChannel } from '@continuity/core/channels/channel-fields'
import { DIRECT, fillOutput } from '@continuity/core/channels/output-fields'
import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { addOutput } from './create-output.ts'
import { TooManyChannels } from './errors.ts'
import { type NamedMedia, requireNamedMedia } from './named-media.ts'
import { recordChannelWrite } from './record-write.ts'
import { type Channel, countChannelsLocked, insertChannel } from './store.ts'

/** Creates a channel that is OFFLINE, with the output `direct`. */
export async function createChannel(
  tx: Transaction,
  actor: Actor,
  draft: ChannelDraft,
  namedMedia: NamedMedia,
): Promise<Channel> {
  const { accountId, nowMs } = actor
  await requireNamedMedia(tx, namedMedia, accountId, draft)
  if ((await countChannelsLocked(tx, accountId)) >= CHANNELS_MAXIMUM) throw TooManyChannels()
  const id = { accountId, channelId: newId(nowMs) }
  const channel = await insertChannel(tx, id, fillChannel(draft), nowMs)
  await recordChannelWrite(tx, actor, { before: null, after: channel })
  await addOutput(tx, actor, { ...id, distributor: DIRECT }, fillOutput({}))
  return channel
}
