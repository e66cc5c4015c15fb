import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeFailingAlert } from './failing-alert.ts'
import { deletePendingMails } from './mail-store.ts'
import { deleteAllNotices } from './notice-store.ts'
import { deleteProgress, lockProgress } from './progress-store.ts'
import { recordRecipientWrite } from './record-write.ts'
import { requireRecipientLocked } from './require-recipient.ts'
import { markRecipientDeleted, type Recipient } from './store.ts'

/** `check` is called with the current record, locked. Ended mails stay until they are purged. */
export async function deleteRecipient(
  tx: Transaction,
  actor: Actor,
  recipientId: string,
  check: (recipient: Recipient) => void,
): Promise<void> {
  const before = await requireRecipientLocked(tx, actor.accountId, recipientId)
  check(before)
  await lockProgress(tx, before)
  await deletePendingMails(tx, before)
  await deleteAllNotices(tx, before)
  await deleteProgress(tx, before)
  await markRecipientDeleted(tx, before, actor)
  await closeFailingAlert(tx, actor, before)
  await recordRecipientWrite(tx, actor, { before, after: null })
}
