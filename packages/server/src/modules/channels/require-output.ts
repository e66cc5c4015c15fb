import type { Transaction } from '../../platform/database/database.ts'
import { OutputNotFound } from './errors.ts'
import { findOutput, type Output, type OutputId } from './output-store.ts'
import { requireChannelLocked } from './require-channel.ts'

/** The lock is the channel's: whoever writes an output holds it, so that a channel's outputs change one at a time. */
export async function requireOutputLocked(tx: Transaction, id: OutputId): Promise<Output> {
  await requireChannelLocked(tx, id.accountId, id.channelId)
  const output = await findOutput(tx, id)
  if (output === undefined) throw OutputNotFound(id.distributor)
  return output
}
