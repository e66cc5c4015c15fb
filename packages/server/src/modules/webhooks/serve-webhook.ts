import { endpointPauseMs } from '@continuity/core/webhooks/retry'
import type { Clock } from '../../platform/clock/clock.ts'
import { type Db, runTransaction } from '../../platform/database/database.ts'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import { attemptDelivery } from './attempt-delivery.ts'
import { findDueMs, type PendingDelivery, selectReady } from './delivery-store.ts'
import { type FanOut, fanOut } from './fan-out.ts'
import { extendLease, lockProgress, releaseLease, type WebhookKey } from './progress-store.ts'
import { type Outcome, recordOutcome } from './record-outcome.ts'
import { openSecrets } from './sealed-secret.ts'
import { findWebhook, type Webhook } from './store.ts'

export interface ServeOptions {
  readonly db: Db
  readonly guard: Pick<Guard, 'post'>
  readonly secretBox: SecretBox | undefined
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  /** Bounds how much of the pool is used. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>
  readonly onOutcome: (outcome: Outcome) => void
  /** No further delivery is begun. */
  readonly isStopping: () => boolean
  /** Those that are under way are given up. */
  readonly stopping: AbortSignal
}

export interface Served extends WebhookKey {
  readonly lease: string
  /** Requests to its endpoint at once. */
  readonly concurrency: number
}

/** After this another webhook has its turn; attempts that were begun are ended. */
const TURN_MS = 5_000

/** How long a webhook waits after a crash of the worker that served it. */
export const LEASE_MS = 10_000
const EXTEND_MS = 3_000
const READY_BATCH = 16
/** While its endpoint takes nothing, a webhook whose deliveries fill their share is looked at this often. */
const FULL_MS = 5_000

/**
 * Serves a webhook that this worker has leased: makes deliveries of its events, sends those that are ready, some at
 * once but never two of one subject, and gives the lease back after its turn or at the first failure.
 */
export async function serveWebhook(options: ServeOptions, served: Served): Promise<void> {
  const { db, clock, limit } = options
  const webhook = await limit(() => findWebhook(db, served.accountId, served.webhookId))
  const secrets = webhook && openSecrets(options.secretBox, webhook, clock())
  if (webhook === undefined) return
  const turn = createTurn(options, served, webhook)
  if (secrets === undefined) throw new Error('no key of SECRET_KEYS_FILE opens the secret of the webhook')

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
  // Most turns are over before it is needed.
  const extending = setInterval(() => {
    limit(() => extendLease(db, served, served.lease, clock() + LEASE_MS)).then(
      (isOurs) => isOurs || turn.lose(),
      () => {}, // It is tried again, or the lease ends.
    )
  }, EXTEND_MS)
  try {
    await Promise.all(Array.from({ length: served.concurrency }, sendNext))
  } finally {
    clearInterval(extending)
  }
  await limit(() => release(db, served, clock(), turn.state()))
}

/** What is to be sent in this turn. Slots take from it one after the other. */
function createTurn({ db, clock, limit, isStopping }: ServeOptions, served: Served, webhook: Webhook) {
  const endMs = performance.now() + TURN_MS
  const inFlight = new Set<string>()
  let ready: PendingDelivery[] = []
  let state: FanOut = 'more'
  let filling: Promise<void> | undefined // of the slot that fills it; the others wait for the same

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
