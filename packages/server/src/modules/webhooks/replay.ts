import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { findCursorBefore } from '../events/read.ts'
import { deletePendingFrom, restartPending } from './delivery-store.ts'
import { ReplayRange } from './errors.ts'
import { lockProgress, updateProgress } from './progress-store.ts'
import { recordWebhookWrite } from './record-write.ts'
import { requireWebhookLocked } from './require-webhook.ts'

/**
 * Sends all events since a time again. The cursor moves back, and earlier deliveries no longer count. Pending ones are
 * deleted: the cursor reaches their events again, and they would otherwise overtake older events of the replay.
 */
export async function replayWebhook(
  tx: Transaction,
  actor: Actor,
  webhookId: string,
  fromMs: number,
): Promise<void> {
  const { accountId, nowMs } = actor
  if (fromMs > nowMs) throw ReplayRange()
  const webhook = await requireWebhookLocked(tx, accountId, webhookId)
  const progress = await lockProgress(tx, webhook)
  const cursor = await findCursorBefore(tx, accountId, fromMs)
  if (cursor !== undefined) {
    await deletePendingFrom(tx, webhook, fromMs)
    await restartPending(tx, webhook, nowMs)
    const replays = progress!.replays + 1
    await updateProgress(tx, webhook, { cursor, from_ms: fromMs, replays, due_ms: nowMs, not_before_ms: 0 })
  }
  await recordWebhookWrite(tx, actor, { before: webhook, after: webhook }, 'replay')
}
