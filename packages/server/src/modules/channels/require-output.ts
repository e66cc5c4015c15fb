import type { Transaction } from '../../platform/database/database.ts'
import { OutputNotFound } from './errors.ts'
import { findOutput, type Output, type OutputId } from './output-store.ts'
import { requireChannelLocked } from './require-channel.ts'

/** Locks the channel, so that writes of its outputs are serialized. */
export async function requireOutputLocked(tx: Transaction, id: OutputId): Promise<Output> {
  await requireChannelLocked(tx, id.accountId, id.channelId)
  const output = await findOutput(tx, id)
  if (output === undefined) throw OutputNotFound(id.distributor)
  return output
}
