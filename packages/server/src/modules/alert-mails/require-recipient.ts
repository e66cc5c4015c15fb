import type { Db, Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { RecipientNotFound } from './errors.ts'
import { findRecipient, lockRecipient, type Recipient } from './store.ts'

/** Text that cannot be an id, a deleted recipient and another account's do not exist. */
export async function requireRecipient(db: Db, accountId: string, recipientId: string): Promise<Recipient> {
  const recipient = isId(recipientId) ? await findRecipient(db, { accountId, recipientId }) : undefined
  if (recipient === undefined) throw RecipientNotFound()
  return recipient
}

/** The same, and it stays as it is until the transaction ends. Locked before its progress, by everybody. */
export async function requireRecipientLocked(
  tx: Transaction,
  accountId: string,
  recipientId: string,
): Promise<Recipient> {
  const recipient = isId(recipientId) ? await lockRecipient(tx, { accountId, recipientId }) : undefined
  if (recipient === undefined) throw RecipientNotFound()
  return recipient
}
