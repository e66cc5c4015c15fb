import { endpointPauseMs, isGivenUp, retryPauseMs } from '@continuity/core/webhooks/retry'
import { platformActor } from '../../platform/actor.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { type Db, runTransaction } from '../../platform/database/database.ts'
import type { MailSender, SendResult } from '../../platform/mail/mail-sender.ts'
import { composeMail } from './compose-mail.ts'
import { closeFailingAlert, openFailingAlert } from './failing-alert.ts'
import { noteAlerts } from './follow-alerts.ts'
import {
  type Attempt,
  endMail,
  findMailDueMs,
  findReadyMail,
  hasPendingAlerts,
  type PendingMail,
  postponeMail,
} from './mail-store.ts'
import { findNoticeDueMs } from './notice-store.ts'
import { extendLease, lockProgress, releaseLease, updateProgress } from './progress-store.ts'
import { findRecipient, type Recipient, type RecipientKey } from './store.ts'

export interface ServeOptions {
  readonly db: Db
  readonly sender: MailSender
  readonly clock: Clock
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** Limits the concurrent use of database connections. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>
  readonly onOutcome: (outcome: Outcome) => void
  /** Called with the error, for the log of the platform. */
  readonly onFailure: (message: string) => void
  /** When true, no further mail is started. */
  readonly isStopping: () => boolean
  /** Aborts the attempt in flight. */
  readonly stopping: AbortSignal
}

/** How long a recipient stays unserved after a crash of its worker. */
export const LEASE_MS = 10_000
const EXTEND_MS = 3_000

/** Serves a leased recipient until nothing is ready or an attempt has failed. */
export async function serveRecipient(options: ServeOptions, key: RecipientKey, lease: string): Promise<void> {
  const { db, clock, limit } = options
  const lost = new AbortController()
  const extending = setInterval(() => {
    limit(() => extendLease(db, key, lease, clock() + LEASE_MS)).then(
      (isOurs) => isOurs || lost.abort(),
      () => {}, // Retried at the next interval, or the lease expires.
    )
  }, EXTEND_MS)
  try {
    while (!lost.signal.aborted && !options.isStopping()) {
      const mail = await takeMail(options, key, lease)
      if (mail === undefined || (await attempt(options, key, mail)) !== 'sent') break
    }
  } finally {
    clearInterval(extending)
  }
  await limit(() => release(db, key, lease, clock()))
}

/** Reads new events, composes a mail if one is due, and returns the next mail to send. */
async function takeMail(
  { db, clock, limit }: ServeOptions,
  key: RecipientKey,
  lease: string,
): Promise<PendingMail | undefined> {
  const nowMs = clock()
  let noted: 'lost' | 'more' | 'all' = 'more'
  while (noted === 'more')
    noted = await limit(() => runTransaction(db, (tx) => noteAlerts(tx, key, lease, nowMs)))
  if (noted === 'lost') return undefined
  await limit(() => runTransaction(db, (tx) => composeMail(tx, key, lease, nowMs)))
  return limit(() => findReadyMail(db, key, nowMs))
}

async function attempt(
  { db, sender, clock, random, limit, onOutcome, onFailure, stopping }: ServeOptions,
  key: RecipientKey,
  mail: PendingMail,
): Promise<Outcome | undefined> {
  const recipient = await limit(() => findRecipient(db, key))
  if (recipient === undefined) return undefined
  const atMs = clock()
  const startedMs = performance.now()
  const { mailId: id, subject, body: text, composedMs, alertIds: threadIds } = mail
  const to = recipient.address
  const result = await sender.send({ id, threadIds, to, subject, text, atMs: composedMs }, stopping)
  if (result === undefined) return undefined
  if (result.kind === 'failed') onFailure(result.message)
  const made: Attempt = {
    atMs,
    address: to,
    durationMs: Math.round(performance.now() - startedMs),
    errorCode: codeOf(result),
    response: result.response,
  }
  const at = { nowMs: clock(), chance: random() }
  const outcome = await limit(() => recordOutcome(db, recipient, mail, result, made, at))
  onOutcome(outcome)
  return outcome
}

const codeOf = (result: SendResult): string | null => (result.kind === 'accepted' ? null : result.code)

/** Notices are not due while a mail about alerts is pending, nor within a minute after one. */
async function release(db: Db, key: RecipientKey, lease: string, nowMs: number): Promise<void> {
  await runTransaction(db, async (tx) => {
    const progress = await lockProgress(tx, key)
    if (progress === undefined) return
    const mailDueMs = await findMailDueMs(tx, key)
    const noticeDueMs = (await hasPendingAlerts(tx, key)) ? null : await findNoticeDueMs(tx, key)
    const dueMs = Math.min(
      mailDueMs ?? Infinity,
      noticeDueMs === null ? Infinity : Math.max(noticeDueMs, progress.nextMailMs),
    )
    await releaseLease(tx, key, lease, {
      nowMs,
      dueMs: dueMs === Infinity ? null : dueMs,
      notBeforeMs: nowMs + endpointPauseMs(progress.failures),
    })
  })
}

/** Recipients whose mails take longer are served in the slow pool. */
const SLOW_MS = 5_000

/** After this an alert is opened for the other recipients. */
const ALERT_AFTER_MS = 30 * 60_000

/** Retry period of a test mail: its sender waits for the result. */
const TEST_MS = 15 * 60_000

type Outcome = 'sent' | 'failed' | 'rejected' | 'given_up' | 'gone'

/** Stores the result of an attempt: the mail is sent, retried, or given up. */
async function recordOutcome(
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
