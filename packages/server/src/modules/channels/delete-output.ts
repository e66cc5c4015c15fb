import { isRemovable } from '@continuity/core/channels/output-fields'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { RecordInUse } from '../../platform/database/record-errors.ts'
import { deleteOutputRow, type OutputId } from './output-store.ts'
import { recordOutputWrite } from './record-write.ts'
import { requireOutputLocked } from './require-output.ts'

export async function deleteOutput(
  tx: Transaction,
  actor: Actor,
  id: Omit<OutputId, 'accountId'>,
): Promise<void> {
  const before = await requireOutputLocked(tx, { ...id, accountId: actor.accountId })
  if (!isRemovable(id.distributor)) {
    throw RecordInUse(`The output ${id.distributor} cannot be deleted; every channel has it.`)
  }
  await deleteOutputRow(tx, before)
  await recordOutputWrite(tx, actor, { before, after: null })
}
