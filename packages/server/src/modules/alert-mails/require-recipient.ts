import { isId } from '../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { RecipientNotFound } from './errors.ts'
import { findRecipient, lockRecipient, type Recipient } from './store.ts'

/** Throws 404 for a malformed id, a deleted recipient and one of another account. */
export async function requireRecipient(db: Db, accountId: string, recipientId: string): Promise<Recipient> {
  const recipient = isId(recipientId) ? await findRecipient(db, { accountId, recipientId }) : undefined
  if (recipient === undefined) throw RecipientNotFound()
  return recipient
}

/** The same, locked. Lock order: the recipient, then its progress. */
export async function requireRecipientLocked(
  tx: Transaction,
  accountId: string,
  recipientId: string,
): Promise<Recipient> {
  const recipient = isId(recipientId) ? await lockRecipient(tx, { accountId, recipientId }) : undefined
  if (recipient === undefined) throw RecipientNotFound()
  return recipient
}
