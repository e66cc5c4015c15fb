import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { restartPending } from './delivery-store.ts'
import { closePauseAlert } from './pause-alert.ts'
import { lockProgress, updateProgress } from './progress-store.ts'
import { recordWebhookWrite } from './record-write.ts'
import { requireAddress } from './require-address.ts'
import { requireWebhookLocked } from './require-webhook.ts'
import { updateWebhook, type Webhook, type WebhookChanges, type WebhookFields } from './store.ts'

/** Changes, pauses or resumes a webhook. `check` is called with the current record, locked. */
export async function changeWebhook(
  tx: Transaction,
  actor: Actor,
  webhookId: string,
  wanted: WebhookChanges,
  check: (webhook: Webhook) => void,
): Promise<Webhook> {
  const { accountId, nowMs } = actor
  if (wanted.url !== undefined) requireAddress(wanted.url)
  const before = await requireWebhookLocked(tx, accountId, webhookId)
  check(before)
  const changes = withPrevious(before, wanted)
  const isSame = Object.entries(changes).every(
    ([name, value]) => JSON.stringify(before[name as keyof WebhookFields]) === JSON.stringify(value),
  )
  if (isSame) return before
  const { status = before.status } = changes
  const isSwitched = status !== before.status
  const switched = { statusMs: nowMs, statusReason: status === 'PAUSED' ? 'USER' : null } as const
  const after = await updateWebhook(tx, before, { ...changes, ...(isSwitched ? switched : {}) }, actor)
  if (isSwitched) await switchProgress(tx, actor, after)
  await recordWebhookWrite(tx, actor, { before, after })
  return after
}

/** Changes how long the previous secret signs, if there is one; null drops it. */
function withPrevious(
  { previousSecret }: Webhook,
  { previousSecretUntilMs, ...changes }: WebhookChanges,
): Partial<WebhookFields> {
  if (previousSecretUntilMs === undefined || previousSecret === null) return changes
  return previousSecretUntilMs === null
    ? { ...changes, previousSecret: null, previousSecretUntilMs }
    : { ...changes, previousSecretUntilMs }
}

/** On resume all pending deliveries are tried immediately and have another 24 hours. */
async function switchProgress(tx: Transaction, actor: Actor, webhook: Webhook): Promise<void> {
  await lockProgress(tx, webhook)
  if (webhook.status === 'PAUSED') {
    await updateProgress(tx, webhook, { is_active: false })
    return
  }
  await restartPending(tx, webhook, actor.nowMs)
  const fresh = { failures: 0, failing_since_ms: null, is_slow: true, not_before_ms: 0, due_ms: actor.nowMs }
  await updateProgress(tx, webhook, { is_active: true, ...fresh })
  await closePauseAlert(tx, actor, webhook)
}
