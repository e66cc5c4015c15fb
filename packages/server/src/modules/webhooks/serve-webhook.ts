import { endpointPauseMs } from '@continuity/core/webhooks/retry'
import type { Clock } from '../../platform/clock/clock.ts'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import { type Db, runTransaction } from '../../platform/database/database.ts'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { findDueMs, type PendingDelivery, selectReady } from './delivery-store.ts'
import { type FanOut, fanOut } from './fan-out.ts'
import { extendLease, lockProgress, releaseLease, type WebhookKey } from './progress-store.ts'
import { type Outcome, recordOutcome } from './record-outcome.ts'
import { openSecrets } from './sealed-secret.ts'
import { findWebhook, type Webhook } from './store.ts'

export interface ServeOptions {
  readonly db: Db
  readonly outboundClient: Pick<OutboundClient, 'post'>
  readonly secretBox: SecretBox | undefined
  readonly clock: Clock
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** Limits the concurrent use of database connections. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>
  readonly onOutcome: (outcome: Outcome) => void
  /** When true, no further delivery is started. */
  readonly isStopping: () => boolean
  /** Aborts attempts in flight. */
  readonly stopping: AbortSignal
}

export interface Served extends WebhookKey {
  readonly lease: string
  /** Concurrent requests to its endpoint. */
  readonly concurrency: number
}

/** Length of a turn; attempts in flight are finished. */
const TURN_MS = 5_000

/** How long a webhook stays unserved after a crash of its worker. */
export const LEASE_MS = 10_000
const EXTEND_MS = 3_000
const READY_BATCH = 16
/** Poll interval for a webhook with the maximum of pending deliveries. */
const FULL_MS = 5_000

/**
 * Serves a webhook that this worker has leased: creates deliveries from its events, sends the ready ones concurrently,
 * but never two of one subject, and releases the lease after its turn or at the first failure.
 */
export async function serveWebhook(options: ServeOptions, served: Served): Promise<void> {
  const { db, clock, limit } = options
  const webhook = await limit(() => findWebhook(db, served.accountId, served.webhookId))
  const secrets = webhook && openSecrets(options.secretBox, webhook, clock())
  if (webhook === undefined) return
  const turn = createTurn(options, served, webhook)
  if (secrets === undefined) throw new Error('no key in SECRET_KEYS_FILE decrypts the secret of the webhook')

  let hasFailed = false
  const sendNext = async (): Promise<void> => {
    while (!hasFailed && !turn.isOver()) {
      const delivery = await turn.take()
      if (delivery === undefined) return
      const attempt = await attemptDelivery(options, { url: webhook.url, secrets }, delivery)
      if (attempt === undefined) return
      const at = { nowMs: clock(), chance: options.random() }
      const outcome = await limit(() => recordOutcome(db, served, delivery, attempt, at))
      turn.end(delivery)
      options.onOutcome(outcome)
      if (outcome !== 'delivered') hasFailed = true
    }
  }
  // Most turns end before the first extension.
  const extending = setInterval(() => {
    limit(() => extendLease(db, served, served.lease, clock() + LEASE_MS)).then(
      (isOurs) => isOurs || turn.lose(),
      () => {}, // Retried at the next interval, or the lease expires.
    )
  }, EXTEND_MS)
  try {
    await Promise.all(Array.from({ length: served.concurrency }, sendNext))
  } finally {
    clearInterval(extending)
  }
  await limit(() => release(db, served, clock(), turn.state()))
}

/** The queue of deliveries of one turn, shared by the concurrent senders. */
function createTurn({ db, clock, limit, isStopping }: ServeOptions, served: Served, webhook: Webhook) {
  const endMs = performance.now() + TURN_MS
  const inFlight = new Set<string>()
  let ready: PendingDelivery[] = []
  let state: FanOut = 'more'
  let filling: Promise<void> | undefined // shared by all senders, so that only one query runs

  const fill = async () => {
    const nowMs = clock()
    state = await limit(() => runTransaction(db, (tx) => fanOut(tx, webhook, served.lease, nowMs)))
    if (state === 'lost') return
    ready = await limit(() => selectReady(db, served, nowMs, [...inFlight], READY_BATCH).execute())
  }
  const isOver = () => state === 'lost' || isStopping() || performance.now() >= endMs

  return {
    isOver,
    lose: () => {
      state = 'lost'
    },
    state: () => state,
    async take(): Promise<PendingDelivery | undefined> {
      while (ready.length === 0) {
        filling ??= fill().finally(() => {
          filling = undefined
        })
        await filling
        if (isOver() || (ready.length === 0 && state !== 'more')) return undefined
      }
      const delivery = ready.shift()!
      inFlight.add(delivery.eventId)
      return delivery
    },
    end: ({ eventId }: PendingDelivery) => inFlight.delete(eventId),
  }
}

async function release(db: Db, served: Served, nowMs: number, state: FanOut): Promise<void> {
  await runTransaction(db, async (tx) => {
    const progress = await lockProgress(tx, served)
    if (progress === undefined) return
    const dueMs = await findDueMs(tx, served)
    const pauseMs =
      state === 'full' && (dueMs ?? Infinity) > nowMs ? FULL_MS : endpointPauseMs(progress.failures)
    await releaseLease(tx, served, served.lease, { nowMs, dueMs, notBeforeMs: nowMs + pauseMs })
  })
}
