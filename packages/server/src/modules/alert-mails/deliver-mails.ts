import type { Clock } from '../../platform/clock/clock.ts'
import { createLimit } from '../../platform/concurrency/limit.ts'
import type { Database } from '../../platform/database/database.ts'
import { startLeasedWork } from '../../platform/jobs/leased-work.ts'
import { createFaultLog } from '../../platform/log/fault-log.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { MailSender } from '../../platform/mail/mail-sender.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { claimRecipients } from './progress-store.ts'
import { LEASE_MS, serveRecipient } from './serve-recipient.ts'

export interface DeliverOptions {
  readonly database: Database
  readonly sender: MailSender
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  /** Nothing is sent while it returns true. */
  readonly isPaused: () => boolean
}

/** Database connections that mails may use. */
export const MAIL_CONNECTIONS = 2

/**
 * Mails sent concurrently, each over its own connection. Recipients whose mails fail or take long have slots of
 * their own, so that they cannot delay the others.
 */
const pools = [
  { isPoor: false, slots: 16, mostEach: 2 },
  { isPoor: true, slots: 32, mostEach: 2 },
] as const

/** Sends mails about alerts of all accounts until stopped. Runs in every worker; a lease keeps two from serving one recipient. */
export function deliverMails(options: DeliverOptions): { stop(): Promise<void> } {
  const { database, clock, logger, metrics, isPaused } = options
  const limit = createLimit(MAIL_CONNECTIONS)
  const attempts = metrics.counter('alert_mail_attempts_total', 'Attempts to send a mail, by outcome.')
  const logFailure = createFaultLog(logger, 'sending an alert mail failed; retrying')
  const work = startLeasedWork({
    name: 'mail recipient',
    pools,
    clock,
    logger,
    isPaused,
    claim: (claim) =>
      limit(() => claimRecipients(database.platform, { ...claim, untilMs: claim.nowMs + LEASE_MS })),
    serve: (key, { lease, isStopping, stopping }) =>
      serveRecipient(
        {
          ...options,
          db: database.forAccount(key.accountId),
          limit,
          onOutcome: (outcome) => attempts.series({ outcome }).add(),
          onFailure: logFailure,
          isStopping,
          stopping,
        },
        key,
        lease,
      ),
  })
  metrics.gauge('alert_recipients_served', 'Alert recipients being served.', work.servedNow)
  return work
}
