import type { OutputFields } from '@continuity/core/channels/output-fields'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { DelayFixed } from './errors.ts'
import { isSame } from './is-same.ts'
import { type Output, type OutputId, updateOutput } from './output-store.ts'
import { recordOutputWrite } from './record-write.ts'
import { requireOutputLocked } from './require-output.ts'

/**
 * Changes an output. Writing the same values again is not a change.
 *
 * The delay is fixed: another one would set media sequence numbers back, or skip what players have not seen yet.
 */
export async function changeOutput(
  tx: Transaction,
  actor: Actor,
  id: Omit<OutputId, 'accountId'>,
  changes: Partial<OutputFields>,
): Promise<Output> {
  const before = await requireOutputLocked(tx, { ...id, accountId: actor.accountId })
  if (isSame(before, changes)) return before
  if (changes.delayMs !== undefined && changes.delayMs !== before.delayMs) throw DelayFixed()
  const after = await updateOutput(tx, before, changes, actor.nowMs)
  await recordOutputWrite(tx, actor, { before, after })
  return after
}
