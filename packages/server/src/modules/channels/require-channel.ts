import { isId } from '../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { ChannelNotFound } from './errors.ts'
import { type Channel, findChannel, lockChannel } from './store.ts'

/** Throws 404 for a malformed id, a deleted channel and one of another account. */
export async function requireChannel(db: Db, accountId: string, channelId: string): Promise<Channel> {
  const channel = isId(channelId) ? await findChannel(db, accountId, channelId) : undefined
  if (channel === undefined) throw ChannelNotFound()
  return channel
}

/** The same, and locks the channel with its outputs. */
export async function requireChannelLocked(
  tx: Transaction,
  accountId: string,
  channelId: string,
): Promise<Channel> {
  const channel = isId(channelId) ? await lockChannel(tx, accountId, channelId) : undefined
  if (channel === undefined) throw ChannelNotFound()
  return channel
}
