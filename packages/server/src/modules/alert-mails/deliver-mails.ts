import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { startLeasedWork } from '../../platform/leased-work.ts'
import { createLimit } from '../../platform/limit.ts'
import type { Logger } from '../../platform/logger.ts'
import type { MailSender } from '../../platform/mail/mail-sender.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { tellFaults } from '../../platform/told-faults.ts'
import { claimRecipients } from './progress-store.ts'
import { LEASE_MS, serveRecipient } from './serve-recipient.ts'

export interface DeliverOptions {
  readonly database: Database
  readonly sender: MailSender
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  /** While it is so nothing is sent. */
  readonly isPaused: () => boolean
}

/** Connections of the pool that mails use at most. */
export const MAIL_CONNECTIONS = 2

/**
 * Mails that are sent at once, each over a connection of its own. Recipients whose mails fail or take long have slots of
 * their own: however many there are, the others do not wait for them.
 */
const pools = [
  { isPoor: false, slots: 16, mostEach: 2 },
  { isPoor: true, slots: 32, mostEach: 2 },
] as const

/** Sends mails about alerts of all accounts until it is stopped. Every worker does; no two serve the same recipient. */
export function deliverMails(options: DeliverOptions): { stop(): Promise<void> } {
  const { database, clock, logger, metrics, isPaused } = options
  const limit = createLimit(MAIL_CONNECTIONS)
  const attempts = metrics.counter('alert_mail_attempts_total', 'Attempts to send a mail, by outcome.')
  const tellFailure = tellFaults(logger, 'a mail about alerts could not be sent; retrying')
  const work = startLeasedWork({
    name: 'recipient of alerts',
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
          onFailure: tellFailure,
          isStopping,
          stopping,
        },
        key,
        lease,
      ),
  })
  metrics.gauge('alert_recipients_served', 'Recipients of alerts that are served now.', work.servedNow)
  return work
}
