import type { Db, Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { WebhookNotFound } from './errors.ts'
import { findWebhook, lockWebhook, type Webhook } from './store.ts'

/** Text that cannot be an id, a deleted webhook and another account's do not exist. */
export async function requireWebhook(db: Db, accountId: string, webhookId: string): Promise<Webhook> {
  const webhook = isId(webhookId) ? await findWebhook(db, accountId, webhookId) : undefined
  if (webhook === undefined) throw WebhookNotFound()
  return webhook
}

/** The same, and it stays as it is until the transaction ends. Locked before its progress, by everybody. */
export async function requireWebhookLocked(
  tx: Transaction,
  accountId: string,
  webhookId: string,
): Promise<Webhook> {
  const webhook = isId(webhookId) ? await lockWebhook(tx, accountId, webhookId) : undefined
  if (webhook === undefined) throw WebhookNotFound()
  return webhook
}
