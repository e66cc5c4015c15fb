import type { OutputFields } from '@continuity/core/channels/output-fields'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isSame } from './is-same.ts'
import { type Output, type OutputId, updateOutput } from './output-store.ts'
import { recordOutputWrite } from './record-write.ts'
import { requireOutputLocked } from './require-output.ts'

/** Changes an output. Writing the same values again is not a change. */
export async function changeOutput(
  tx: Transaction,
  actor: Actor,
  id: Omit<OutputId, 'accountId'>,
  changes: Partial<OutputFields>,
): Promise<Output> {
  const before = await requireOutputLocked(tx, { ...id, accountId: actor.accountId })
  if (isSame(before, changes)) return before
  const after = await updateOutput(tx, before, changes, actor.nowMs)
  await recordOutputWrite(tx, actor, { before, after })
  return after
}
