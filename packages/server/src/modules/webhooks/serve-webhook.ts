import { endpointPauseMs } from '@continuity/core/webhooks/retry'
import type { Clock } from '../../platform/clock/clock.ts'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import { type Db, runTransaction } from '../../platform/database/database.ts'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { attemptDelivery, type Target } from './attempt-delivery.ts'
import { findDueMs, type PendingDelivery, selectReady } from './delivery-store.ts'
import { type FanOut, fanOut } from './fan-out.ts'
import { extendLease, lockProgress, releaseLease, type WebhookKey } from './progress-store.ts'
import { type Outcome, recordOutcome } from './record-outcome.ts'
import { openSecrets } from './sealed-secret.ts'
import { findWebhook } from './store.ts'

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
  const turn = createTurn(options, served)

  let hasFailed = false
  const sendNext = async (): Promise<void> => {
    while (!hasFailed && !turn.isOver()) {
      const taken = await turn.take()
      if (taken === undefined) return
      const { delivery, target } = taken
      const attempt = await attemptDelivery(options, target, delivery)
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

interface Taken {
  readonly delivery: PendingDelivery
  readonly target: Target
}

/** The queue of deliveries of one turn, shared by the concurrent senders. */
function createTurn({ db, clock, limit, isStopping, secretBox }: ServeOptions, served: Served) {
  const endMs = performance.now() + TURN_MS
  const inFlight = new Set<string>()
  let ready: Taken[] = []
  let state: FanOut = 'more'
  let filling: Promise<void> | undefined // shared by all senders, so that only one query runs

  const fill = async () => {
    const nowMs = clock()
    state = await limit(() => runTransaction(db, (tx) => fanOut(tx, served, served.lease, nowMs)))
    if (state === 'lost') return
    const deliveries = await limit(() => selectReady(db, served, nowMs, [...inFlight], READY_BATCH).execute())
    if (deliveries.length === 0) return
    // After the deliveries: one that was queued after a change of the address or of the secrets is sent with the new ones.
    const target = await findTarget()
    if (target === undefined) state = 'lost'
    else ready = deliveries.map((delivery) => ({ delivery, target }))
  }
  const findTarget = async (): Promise<Target | undefined> => {
    const webhook = await limit(() => findWebhook(db, served.accountId, served.webhookId))
    if (webhook === undefined) return undefined
    const secrets = openSecrets(secretBox, webhook, clock())
    if (secrets === undefined)
      throw new Error('no key in SECRET_KEYS_FILE decrypts the secret of the webhook')
    return { url: webhook.url, secrets }
  }
  const isOver = () => state === 'lost' || isStopping() || performance.now() >= endMs

  return {
    isOver,
    lose: () => {
      state = 'lost'
    },
    state: () => state,
    async take(): Promise<Taken | undefined> {
      while (ready.length === 0) {
        filling ??= fill().finally(() => {
          filling = undefined
        })
        await filling
        if (isOver() || (ready.length === 0 && state !== 'more')) return undefined
      }
      const taken = ready.shift()!
      inFlight.add(taken.delivery.eventId)
      return taken
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
