import { isGivenUp, retryPauseMs } from '@continuity/core/webhooks/retry'
import { platformActor } from '../../platform/actor.ts'
import { type Db, runTransaction } from '../../platform/database/database.ts'
import type { SendResult } from '../../platform/mail/mail-sender.ts'
import { closeFailingAlert, openFailingAlert } from './failing-alert.ts'
import { type Attempt, endMail, type PendingMail, postponeMail } from './mail-store.ts'
import { lockProgress, updateProgress } from './progress-store.ts'
import type { Recipient } from './store.ts'

/** Recipients whose mails take longer are served in the slow pool. */
const SLOW_MS = 5_000

/** After this an alert is opened for the other recipients. */
const ALERT_AFTER_MS = 30 * 60_000

/** Retry period of a test mail: its sender waits for the result. */
const TEST_MS = 15 * 60_000

export type Outcome = 'sent' | 'failed' | 'rejected' | 'given_up' | 'gone'

/** Stores the result of an attempt: the mail is sent, retried, or given up. */
export async function recordOutcome(
  db: Db,
  recipient: Recipient,
  mail: PendingMail,
  result: SendResult,
  attempt: Attempt,
  { nowMs, chance }: { readonly nowMs: number; readonly chance: number },
): Promise<Outcome> {
  const isSlow = attempt.durationMs >= SLOW_MS
  const actor = platformActor(recipient.accountId, nowMs)
  return runTransaction(db, async (tx): Promise<Outcome> => {
    const progress = await lockProgress(tx, recipient)
    if (progress === undefined) return 'gone'
    const { failures, failingSinceMs } = progress
    if (result.kind === 'accepted') {
      await endMail(tx, recipient, mail.mailId, 'SENT', attempt, nowMs)
      if (failures > 0 || progress.isSlow !== isSlow)
        await updateProgress(tx, recipient, { failures: 0, failing_since_ms: null, is_slow: isSlow })
      if (failures > 0) await closeFailingAlert(tx, actor, recipient)
      return 'sent'
    }
    const sinceMs = failingSinceMs ?? attempt.atMs
    await updateProgress(tx, recipient, {
      failures: failures + 1,
      failing_since_ms: sinceMs,
      is_slow: isSlow,
    })
    const outcome = outcomeOf(result, mail, attempt, nowMs)
    if (outcome === 'failed')
      await postponeMail(tx, recipient, mail, attempt, nowMs + retryPauseMs(mail.attempts + 1, chance))
    else await endMail(tx, recipient, mail.mailId, 'FAILED', attempt, nowMs)
    if (outcome !== 'failed' || nowMs - sinceMs >= ALERT_AFTER_MS)
      await openFailingAlert(tx, actor, recipient)
    return outcome
  })
}

function outcomeOf(result: SendResult, mail: PendingMail, attempt: Attempt, nowMs: number): Outcome {
  if (result.kind === 'rejected') return 'rejected'
  const firstMs = mail.firstAttemptMs ?? attempt.atMs
  const isOver = mail.kind === 'TEST' ? nowMs - firstMs >= TEST_MS : isGivenUp(firstMs, nowMs)
  return isOver ? 'given_up' : 'failed'
}
