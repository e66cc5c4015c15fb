import { RECIPIENTS_MAXIMUM } from '@continuity/core/alerts/limits'
import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { checkFields } from './check-fields.ts'
import { TooManyRecipients } from './errors.ts'
import { beginFollowing } from './follow-alerts.ts'
import { insertProgress } from './progress-store.ts'
import { recordRecipientWrite } from './record-write.ts'
import { countRecipientsLocked, insertRecipient, type Recipient, type RecipientFields } from './store.ts'

/** Creates a recipient, who is mailed the alerts that are open and those that open later. */
export async function createRecipient(
  tx: Transaction,
  actor: Actor,
  draft: Omit<RecipientFields, 'status'>,
): Promise<Recipient> {
  const { accountId, nowMs } = actor
  checkFields(draft)
  if ((await countRecipientsLocked(tx, accountId)) >= RECIPIENTS_MAXIMUM) throw TooManyRecipients()
  const key = { accountId, recipientId: newId(nowMs) }
  const { cursor, noteOpen } = await beginFollowing(tx, key, nowMs)
  const recipient = await insertRecipient(tx, key, { ...draft, status: 'ACTIVE' }, actor)
  await insertProgress(tx, key, cursor, nowMs)
  await noteOpen()
  await recordRecipientWrite(tx, actor, { before: null, after: recipient })
  return recipient
}
