import { endpointPauseMs } from '@continuity/core/webhooks/retry'
import type { Clock } from '../../platform/clock/clock.ts'
import { type Db, runTransaction } from '../../platform/database/database.ts'
import type { MailSender, SendResult } from '../../platform/mail/mail-sender.ts'
import { composeMail } from './compose-mail.ts'
import { noteAlerts } from './follow-alerts.ts'
import {
  type Attempt,
  findMailDueMs,
  findReadyMail,
  hasPendingAlerts,
  type PendingMail,
} from './mail-store.ts'
import { findNoticeDueMs } from './notice-store.ts'
import { extendLease, lockProgress, releaseLease } from './progress-store.ts'
import { type Outcome, recordOutcome } from './record-outcome.ts'
import { findRecipient, type Recipient, type RecipientKey } from './store.ts'

export interface ServeOptions {
  readonly db: Db
  readonly sender: MailSender
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  /** Bounds how much of the pool is used. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>
  readonly onOutcome: (outcome: Outcome) => void
  /** For those who run the platform. */
  readonly onFailure: (message: string) => void
  /** No further mail is begun. */
  readonly isStopping: () => boolean
  /** The one that is under way is given up. */
  readonly stopping: AbortSignal
}

/** How long a recipient waits after a crash of the worker that served it. */
export const LEASE_MS = 10_000
const EXTEND_MS = 3_000

/** Serves a recipient that this worker has leased, until nothing is ready or an attempt has failed. */
export async function serveRecipient(options: ServeOptions, key: RecipientKey, lease: string): Promise<void> {
  const { db, clock, limit } = options
  const recipient = await limit(() => findRecipient(db, key))
  if (recipient === undefined) return
  const lost = new AbortController()
  const extending = setInterval(() => {
    limit(() => extendLease(db, key, lease, clock() + LEASE_MS)).then(
      (isOurs) => isOurs || lost.abort(),
      () => {}, // It is tried again, or the lease ends.
    )
  }, EXTEND_MS)
  try {
    while (!lost.signal.aborted && !options.isStopping()) {
      const mail = await takeMail(options, recipient, lease)
      if (mail === undefined || (await attempt(options, recipient, mail)) !== 'sent') break
    }
  } finally {
    clearInterval(extending)
  }
  await limit(() => release(db, key, lease, clock()))
}

/** Notes what has happened, makes a mail of it, and gives what is to be sent now. */
async function takeMail(
  { db, clock, limit }: ServeOptions,
  recipient: Recipient,
  lease: string,
): Promise<PendingMail | undefined> {
  const nowMs = clock()
  let noted: 'lost' | 'more' | 'all' = 'more'
  while (noted === 'more')
    noted = await limit(() => runTransaction(db, (tx) => noteAlerts(tx, recipient, lease, nowMs)))
  if (noted === 'lost') return undefined
  await limit(() => runTransaction(db, (tx) => composeMail(tx, recipient, lease, nowMs)))
  return limit(() => findReadyMail(db, recipient, nowMs))
}

async function attempt(
  { db, sender, clock, random, limit, onOutcome, onFailure, stopping }: ServeOptions,
  recipient: Recipient,
  mail: PendingMail,
): Promise<Outcome | undefined> {
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

/** While a mail is pending nothing else is made, and after one not before its minute is over. */
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
