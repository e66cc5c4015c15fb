import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import { startLeasedWork } from '../../platform/leased-work.ts'
import { createLimit } from '../../platform/limit.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import { claimWebhooks } from './progress-store.ts'
import { LEASE_MS, serveWebhook } from './serve-webhook.ts'

export interface DeliverOptions {
  readonly database: Database
  readonly guard: Pick<Guard, 'post'>
  readonly secretBox: SecretBox | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly metrics: Metrics
  /** While it is so nothing is sent. */
  readonly isPaused: () => boolean
}

/** Connections of the pool that deliveries use at most. */
export const WEBHOOK_CONNECTIONS = 4

/**
 * Webhooks that are served at once. Endpoints that fail or are slow have slots of their own: however many there are,
 * the others do not wait for them. An account has no more than an eighth of either.
 */
const pools = [
  { isPoor: false, slots: 64, concurrency: 4, mostEach: 8 },
  { isPoor: true, slots: 32, concurrency: 1, mostEach: 4 },
] as const

/** Sends events to the webhooks of all accounts until it is stopped. Every worker does; no two serve the same webhook. */
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
  metrics.gauge('webhooks_served', 'Webhooks that are served now.', work.servedNow)
  return work
}
