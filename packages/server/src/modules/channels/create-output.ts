import { fillOutput, OUTPUTS_MAXIMUM, type OutputFields } from '@continuity/core/channels/output-fields'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { OutputExists, TooManyOutputs } from './errors.ts'
import { countOutputs, insertOutput, type Output, type OutputId } from './output-store.ts'
import { recordOutputWrite } from './record-write.ts'
import { requireChannelLocked } from './require-channel.ts'

export async function createOutput(
  tx: Transaction,
  actor: Actor,
  id: Omit<OutputId, 'accountId'>,
  draft: Partial<OutputFields>,
): Promise<Output> {
  const { accountId } = actor
  await requireChannelLocked(tx, accountId, id.channelId)
  const output = await addOutput(tx, actor, { ...id, accountId }, fillOutput(draft))
  // Counted after the insert, so that a duplicate distributor is reported as such and not as too many outputs.
  if ((await countOutputs(tx, accountId, id.channelId)) > OUTPUTS_MAXIMUM) throw TooManyOutputs()
  return output
}

/** Adds an output to a channel that is locked or was created in this transaction. */
export async function addOutput(
  tx: Transaction,
  actor: Actor,
  id: OutputId,
  fields: OutputFields,
): Promise<Output> {
  const output = await insertOutput(tx, id, fields, actor.nowMs)
  if (output === undefined) throw OutputExists(id.distributor)
  await recordOutputWrite(tx, actor, { before: null, after: output })
  return output
}
