import type { Clock } from '../../platform/clock/clock.ts'
import { createLimit } from '../../platform/concurrency/limit.ts'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import type { Database } from '../../platform/database/database.ts'
import { startLeasedWork } from '../../platform/jobs/leased-work.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { claimWebhooks } from './progress-store.ts'
import { LEASE_MS, serveWebhook } from './serve-webhook.ts'

export interface DeliverOptions {
  readonly database: Database
  readonly outboundClient: Pick<OutboundClient, 'post'>
  readonly secretBox: SecretBox | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  /** Nothing is sent while it returns true. */
  readonly isPaused: () => boolean
}

/** Database connections that deliveries may use. */
export const WEBHOOK_CONNECTIONS = 4

/**
 * Webhooks served concurrently. Failing or slow endpoints have slots of their own, so that they cannot
 * delay the others. An account may use an eighth of either pool.
 */
const pools = [
  { isPoor: false, slots: 64, concurrency: 4, mostEach: 8 },
  { isPoor: true, slots: 32, concurrency: 1, mostEach: 4 },
] as const

/** Sends events to the webhooks of all accounts until stopped. Runs in every worker; a lease keeps two from serving one webhook. */
export function deliverWebhooks(options: DeliverOptions): { stop(): Promise<void> } {
  const { database, clock, logger, metrics, isPaused } = options
  const limit = createLimit(WEBHOOK_CONNECTIONS)
  const attempts = metrics.counter('webhook_attempts_total', 'Attempts to deliver an event, by outcome.')
  const work = startLeasedWork({
    name: 'webhook',
    pools,
    clock,
    logger,
    isPaused,
    claim: (claim) =>
      limit(() => claimWebhooks(database.platform, { ...claim, untilMs: claim.nowMs + LEASE_MS })),
    serve: (key, { pool, lease, isStopping, stopping }) =>
      serveWebhook(
        {
          ...options,
          db: database.forAccount(key.accountId),
          limit,
          onOutcome: (outcome) => attempts.series({ outcome }).add(),
          isStopping,
          stopping,
        },
        { ...key, lease, concurrency: pool.concurrency },
      ),
  })
  metrics.gauge('webhooks_served', 'Webhooks being served.', work.servedNow)
  return work
}
