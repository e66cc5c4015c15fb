import { isGivenUp, RETRY_MS, retryPauseMs } from '@continuity/core/webhooks/retry'
import { platformActor } from '../../platform/actor.ts'
import { type Db, runTransaction } from '../../platform/database/database.ts'
import { type Attempt, endDelivery, type PendingDelivery, postponeDelivery } from './delivery-store.ts'
import { openPauseAlert } from './pause-alert.ts'
import { lockProgress, updateProgress, type WebhookKey } from './progress-store.ts'
import { recordWebhookWrite } from './record-write.ts'
import { lockWebhook, updateWebhook } from './store.ts'

/** Endpoints that take longer are served in the slow pool. */
const SLOW_MS = 3_000
const GONE = 410

export type Outcome = 'delivered' | 'failed' | 'given_up' | 'paused'

/**
 * Stores the result of an attempt. Success ends the delivery; failure schedules a retry, or ends it after 24 hours. An
 * endpoint that returned 410, or has failed for 24 hours, is paused; its pending deliveries stay pending.
 */
export async function recordOutcome(
  db: Db,
  key: WebhookKey,
  delivery: PendingDelivery,
  attempt: Attempt,
  { nowMs, chance }: { readonly nowMs: number; readonly chance: number },
): Promise<Outcome> {
  const isDelivered = attempt.status !== null && attempt.status >= 200 && attempt.status <= 299
  const isSlow = attempt.durationMs >= SLOW_MS
  const outcome = await runTransaction(db, async (tx): Promise<Outcome> => {
    const progress = await lockProgress(tx, key)
    // Deleted meanwhile.
    if (progress === undefined) return 'paused'
    if (isDelivered) {
      await endDelivery(tx, key, delivery, 'DELIVERED', attempt, nowMs)
      if (progress.failures > 0 || progress.isSlow !== isSlow)
        await updateProgress(tx, key, { failures: 0, failing_since_ms: null, is_slow: isSlow })
      return 'delivered'
    }
    const failingSinceMs = progress.failingSinceMs ?? attempt.atMs
    await updateProgress(tx, key, {
      failures: progress.failures + 1,
      failing_since_ms: failingSinceMs,
      is_slow: isSlow,
    })
    const isPaused = attempt.status === GONE || nowMs - failingSinceMs >= RETRY_MS
    if (!isPaused && isGivenUp(delivery.firstAttemptMs ?? attempt.atMs, nowMs)) {
      await endDelivery(tx, key, delivery, 'FAILED', attempt, nowMs)
      return 'given_up'
    }
    const readyMs = nowMs + retryPauseMs(delivery.attempts + 1, chance)
    await postponeDelivery(tx, key, delivery, attempt, readyMs)
    return isPaused ? 'paused' : 'failed'
  })
  if (outcome === 'paused') await pauseFailing(db, key, attempt.status === GONE ? 'GONE' : 'FAILING', nowMs)
  return outcome
}

/** In a separate transaction, because the record must be locked before its progress, as in all other writers. */
async function pauseFailing(
  db: Db,
  key: WebhookKey,
  reason: 'GONE' | 'FAILING',
  nowMs: number,
): Promise<void> {
  await runTransaction(db, async (tx) => {
    const before = await lockWebhook(tx, key.accountId, key.webhookId)
    if (before === undefined || before.status === 'PAUSED') return
    const progress = await lockProgress(tx, key)
    // A delivery has succeeded or a user has resumed it meanwhile.
    if (progress === undefined || progress.failures === 0) return
    const actor = platformActor(key.accountId, nowMs)
    const changes = { status: 'PAUSED', statusReason: reason, statusMs: nowMs } as const
    const after = await updateWebhook(tx, before, changes, actor)
    await updateProgress(tx, key, { is_active: false })
    await openPauseAlert(tx, actor, after, reason)
    await recordWebhookWrite(tx, actor, { before, after })
  })
}
