import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { deletePending } from './delivery-store.ts'
import { closePauseAlert } from './pause-alert.ts'
import { deleteProgress, lockProgress } from './progress-store.ts'
import { recordWebhookWrite } from './record-write.ts'
import { requireWebhookLocked } from './require-webhook.ts'
import { markWebhookDeleted, type Webhook } from './store.ts'

/** `check` is called with the current record, locked. Ended deliveries stay until they are purged; pending ones are deleted. */
export async function deleteWebhook(
  tx: Transaction,
  actor: Actor,
  webhookId: string,
  check: (webhook: Webhook) => void,
): Promise<void> {
  const before = await requireWebhookLocked(tx, actor.accountId, webhookId)
  check(before)
  await lockProgress(tx, before)
  await deletePending(tx, before)
  await deleteProgress(tx, before)
  await markWebhookDeleted(tx, before, actor)
  await closePauseAlert(tx, actor, before)
  await recordWebhookWrite(tx, actor, { before, after: null })
}
