import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock/clock.ts'
import { createAlarm } from '../concurrency/alarm.ts'
import { createFaultLog } from '../log/fault-log.ts'
import type { Logger } from '../log/logger.ts'

/** Slots of a worker. Failing or slow items have their own pool, so that the others do not wait for them. */
export interface Pool {
  readonly isPoor: boolean
  readonly slots: number
  /** The most for one account. */
  readonly mostEach: number
}

export interface Claim {
  readonly lease: string
  readonly nowMs: number
  readonly isPoor: boolean
  /** Accounts that get no further slot. */
  readonly busyAccounts: readonly string[]
  readonly mostEach: number
  readonly most: number
}

export interface Turn<P extends Pool> {
  readonly pool: P
  readonly lease: string
  /** No further work may start. */
  readonly isStopping: () => boolean
  /** Aborts the work in progress. */
  readonly stopping: AbortSignal
}

export interface LeasedWorkOptions<P extends Pool, Key extends { readonly accountId: string }> {
  /** The name of an item, such as `webhook`, for the log. */
  readonly name: string
  readonly pools: readonly P[]
  readonly clock: Clock
  readonly logger: Logger
  /** While true nothing is started. */
  readonly isPaused: () => boolean
  /** Leases items that have work, exclusively. */
  claim(claim: Claim): Promise<readonly Key[]>
  /** One turn for one item; releases its lease. */
  serve(key: Key, turn: Turn<P>): Promise<void>
}

const POLL_MS = 500

/** The grace period of work in progress at shutdown; interrupted work is repeated. */
const STOP_MS = 3_000

/**
 * Leases items of all accounts that have work, and serves them until it is stopped. Every worker runs this; no two
 * serve the same item. No account has more than its share of the slots.
 */
export function startLeasedWork<P extends Pool, Key extends { readonly accountId: string }>(
  options: LeasedWorkOptions<P, Key>,
): { servedNow(): number; stop(): Promise<void> } {
  const { name, pools, clock, logger, isPaused } = options
  const alarm = createAlarm()
  const cutOff = new AbortController()
  const stopping = new AbortController()
  const logClaimFault = createFaultLog(logger, `could not claim ${name}s; retrying`)
  const logServeFault = createFaultLog(logger, `could not serve a ${name}; retrying when its lease ends`)
  const serving = new Map<Promise<void>, { readonly pool: P; readonly accountId: string }>()

  const servedBy = (pool: P): string[] =>
    [...serving.values()].filter((each) => each.pool === pool).map(({ accountId }) => accountId)
  const isStopping = () => stopping.signal.aborted || isPaused()

  const serve = (pool: P, key: Key, lease: string) => {
    const work = options
      .serve(key, { pool, lease, isStopping, stopping: cutOff.signal })
      .catch((error: unknown) => logServeFault(error))
      .finally(() => {
        // Others may wait for the slot; this item gets its next turn at the next poll.
        if (servedBy(pool).length === pool.slots) alarm.ring()
        serving.delete(work)
      })
    serving.set(work, { pool, accountId: key.accountId })
  }

  const claim = async (pool: P): Promise<void> => {
    const accounts = servedBy(pool)
    const most = pool.slots - accounts.length
    if (most === 0) return
    const lease = randomUUID()
    const busyAccounts = [...new Set(accounts)].filter(
      (accountId) => accounts.filter((each) => each === accountId).length >= pool.mostEach,
    )
    const { isPoor, mostEach } = pool
    const keys = await options.claim({ lease, nowMs: clock(), isPoor, busyAccounts, mostEach, most })
    for (const key of keys) serve(pool, key, lease)
  }

  const run = async () => {
    while (!stopping.signal.aborted) {
      if (!isPaused()) for (const pool of pools) await claim(pool).catch(logClaimFault)
      await alarm.wait(POLL_MS)
    }
  }
  const ran = run()
  return {
    servedNow: () => serving.size,
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
