import type { Db, Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { ChannelNotFound } from './errors.ts'
import { type Channel, findChannel, lockChannel } from './store.ts'

/** Text that cannot be an id, a deleted channel and another account's are all not there. */
export async function requireChannel(db: Db, accountId: string, channelId: string): Promise<Channel> {
  const channel = isId(channelId) ? await findChannel(db, accountId, channelId) : undefined
  if (channel === undefined) throw ChannelNotFound()
  return channel
}

/** The same, and the channel and its outputs stay as they are until the transaction ends. */
export async function requireChannelLocked(
  tx: Transaction,
  accountId: string,
  channelId: string,
): Promise<Channel> {
  const channel = isId(channelId) ? await lockChannel(tx, accountId, channelId) : undefined
  if (channel === undefined) throw ChannelNotFound()
  return channel
}
