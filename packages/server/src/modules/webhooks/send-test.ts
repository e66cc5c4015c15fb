import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { bodyOf, TEST_KIND } from './delivery-body.ts'
import { insertDeliveries } from './delivery-store.ts'
import { WebhookPaused } from './errors.ts'
import { lockProgress, makeDue } from './progress-store.ts'
import { requireWebhookLocked } from './require-webhook.ts'

/** Queues a test delivery and returns its id. It has a subject of its own, so it neither waits for others nor delays them. */
export async function sendTest(tx: Transaction, actor: Actor, webhookId: string): Promise<string> {
  const { accountId, nowMs } = actor
  const webhook = await requireWebhookLocked(tx, accountId, webhookId)
  if (webhook.status === 'PAUSED') throw WebhookPaused()
  const progress = await lockProgress(tx, webhook)
  const eventId = newId(nowMs)
  const event = {
    kind: TEST_KIND,
    atMs: nowMs,
    subjectType: 'webhook',
    subjectId: webhookId,
    data: { webhook_id: webhookId },
  }
  await insertDeliveries(tx, webhook, [
    {
      eventId,
      position: 0,
      replays: progress!.replays,
      kind: TEST_KIND,
      subject: `test/${eventId}`,
      eventMs: nowMs,
      body: bodyOf(event),
      readyMs: nowMs,
    },
  ])
  await makeDue(tx, webhook, nowMs)
  return eventId
}
