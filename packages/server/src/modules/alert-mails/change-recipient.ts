import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { checkFields } from './check-fields.ts'
import { closeFailingAlert } from './failing-alert.ts'
import { beginFollowing } from './follow-alerts.ts'
import { deletePendingMails } from './mail-store.ts'
import { deleteAllNotices, touchAllNotices } from './notice-store.ts'
import { lockProgress, updateProgress } from './progress-store.ts'
import { recordRecipientWrite } from './record-write.ts'
import { requireRecipientLocked } from './require-recipient.ts'
import { type Recipient, type RecipientFields, updateRecipient } from './store.ts'

/** Changes, pauses or resumes a recipient. `check` is called with the current record, locked. */
export async function changeRecipient(
  tx: Transaction,
  actor: Actor,
  recipientId: string,
  changes: Partial<RecipientFields>,
  check: (recipient: Recipient) => void,
): Promise<Recipient> {
  const before = await requireRecipientLocked(tx, actor.accountId, recipientId)
  check(before)
  checkFields({ ...before, ...changes })
  const isSame = Object.entries(changes).every(
    ([name, value]) => JSON.stringify(before[name as keyof RecipientFields]) === JSON.stringify(value),
  )
  if (isSame) return before
  const after = await updateRecipient(tx, before, changes, actor)
  await lockProgress(tx, after)
  if (after.status === before.status) await recheckNotices(tx, actor, before, after)
  else if (after.status === 'PAUSED') await updateProgress(tx, after, { is_active: false })
  else await resume(tx, actor, after)
  await recordRecipientWrite(tx, actor, { before, after })
  return after
}

/** New quiet hours and intervals also apply to alerts already noted. A new address has no failures yet. */
async function recheckNotices(
  tx: Transaction,
  actor: Actor,
  before: Recipient,
  after: Recipient,
): Promise<void> {
  const { nowMs } = actor
  await touchAllNotices(tx, after, nowMs)
  const isMoved = before.address !== after.address
  await updateProgress(tx, after, { due_ms: nowMs, ...(isMoved ? { ...unfailed } : {}) })
  if (isMoved) await closeFailingAlert(tx, actor, after)
}

const unfailed = { failures: 0, failing_since_ms: null, is_slow: true, not_before_ms: 0 }

/** Starts over with the alerts that are open now; those closed while paused are not mailed. */
async function resume(tx: Transaction, actor: Actor, recipient: Recipient): Promise<void> {
  const { nowMs } = actor
  await deletePendingMails(tx, recipient)
  await deleteAllNotices(tx, recipient)
  const { cursor, noteOpen } = await beginFollowing(tx, recipient, nowMs)
  await noteOpen()
  await updateProgress(tx, recipient, { is_active: true, cursor, due_ms: nowMs, ...unfailed })
  await closeFailingAlert(tx, actor, recipient)
}
