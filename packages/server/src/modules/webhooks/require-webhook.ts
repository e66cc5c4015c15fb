import { isId } from '../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { WebhookNotFound } from './errors.ts'
import { findWebhook, lockWebhook, type Webhook } from './store.ts'

/** Throws 404 for a malformed id, a deleted webhook and one of another account. */
export async function requireWebhook(db: Db, accountId: string, webhookId: string): Promise<Webhook> {
  const webhook = isId(webhookId) ? await findWebhook(db, accountId, webhookId) : undefined
  if (webhook === undefined) throw WebhookNotFound()
  return webhook
}

/** The same, locked. Lock order: the webhook, then its progress. */
export async function requireWebhookLocked(
  tx: Transaction,
  accountId: string,
  webhookId: string,
): Promise<Webhook> {
  const webhook = isId(webhookId) ? await lockWebhook(tx, accountId, webhookId) : undefined
  if (webhook === undefined) throw WebhookNotFound()
  return webhook
}
