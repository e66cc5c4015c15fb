import { randomUUID } from 'node:crypto'
import { createAlarm } from '../../platform/alarm.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import { tellFaults } from '../../platform/told-faults.ts'
import { createLimit } from './limit.ts'
import { claimWebhooks, type WebhookKey } from './progress-store.ts'
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

const LOOK_MS = 500

/** Attempts that are under way when the process stops have this long; what is cut off is sent again. */
const STOP_MS = 3_000

/**
 * Webhooks that are served at once. Endpoints that fail or are slow have slots of their own: however many there are,
 * the others do not wait for them. An account has no more than an eighth of either.
 */
const pools = [
  { isPoor: false, slots: 64, concurrency: 4, mostEach: 8 },
  { isPoor: true, slots: 32, concurrency: 1, mostEach: 4 },
] as const

type Pool = (typeof pools)[number]

/** Sends events to the webhooks of all accounts until it is stopped. Every worker does; no two serve the same webhook. */
export function deliverWebhooks(options: DeliverOptions): { stop(): Promise<void> } {
  const { database, clock, logger, metrics, isPaused } = options
  const alarm = createAlarm()
  const cutOff = new AbortController()
  const limit = createLimit(WEBHOOK_CONNECTIONS)
  const tellClaim = tellFaults(logger, 'webhooks cannot be claimed; retrying')
  const tellServe = tellFaults(logger, 'a webhook cannot be served; retrying when its lease ends')
  const attempts = metrics.counter('webhook_attempts_total', 'Attempts to deliver an event, by outcome.')
  const serving = new Map<Promise<void>, { readonly pool: Pool; readonly accountId: string }>()
  metrics.gauge('webhooks_served', 'Webhooks that are served now.', () => serving.size)
  const stopping = new AbortController()

  const servedBy = (pool: Pool): string[] =>
    [...serving.values()].filter((each) => each.pool === pool).map(({ accountId }) => accountId)

  const serve = (pool: Pool, key: WebhookKey, lease: string) => {
    const work = serveWebhook(
      {
        ...options,
        db: database.forAccount(key.accountId),
        limit,
        onOutcome: (outcome) => attempts.series({ outcome }).add(),
        isStopping: () => stopping.signal.aborted || isPaused(),
        stopping: cutOff.signal,
      },
      { ...key, lease, concurrency: pool.concurrency },
    )
      .catch((error: unknown) => tellServe(error))
      .finally(() => {
        // Others may wait for the slot; the webhook itself has its next turn at the next look.
        if (servedBy(pool).length === pool.slots) alarm.ring()
        serving.delete(work)
      })
    serving.set(work, { pool, accountId: key.accountId })
  }

  const claim = async (pool: Pool): Promise<number> => {
    const accounts = servedBy(pool)
    const most = pool.slots - accounts.length
    if (most === 0) return 0
    const lease = randomUUID()
    const nowMs = clock()
    const busyAccounts = [...new Set(accounts)].filter(
      (accountId) => accounts.filter((each) => each === accountId).length >= pool.mostEach,
    )
    const { isPoor, mostEach } = pool
    const keys = await limit(() =>
      claimWebhooks(database.platform, {
        lease,
        nowMs,
        untilMs: nowMs + LEASE_MS,
        isPoor,
        busyAccounts,
        mostEach,
        most,
      }),
    )
    for (const key of keys) serve(pool, key, lease)
    return keys.length
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      if (!isPaused()) for (const pool of pools) await claim(pool).catch(tellClaim)
      await alarm.wait(LOOK_MS)
    }
  }
  const ran = run()
  return {
    async stop() {
      stopping.abort()
      alarm.ring()
      const late = setTimeout(() => cutOff.abort(), STOP_MS)
      await ran
      await Promise.all(serving.keys())
      clearTimeout(late)
    },
  }
}
