import { randomUUID } from 'node:crypto'
import { createAlarm } from './alarm.ts'
import type { Clock } from './clock/clock.ts'
import type { Logger } from './logger.ts'
import { tellFaults } from './told-faults.ts'

/** Slots of a worker. What fails or is slow has a pool of its own, so that the others do not wait for it. */
export interface Pool {
  readonly isPoor: boolean
  readonly slots: number
  /** Of one account. */
  readonly mostEach: number
}

export interface Claim {
  readonly lease: string
  readonly nowMs: number
  readonly isPoor: boolean
  /** These get no further slot. */
  readonly busyAccounts: readonly string[]
  readonly mostEach: number
  readonly most: number
}

export interface Turn<P extends Pool> {
  readonly pool: P
  readonly lease: string
  /** No further work is begun. */
  readonly isStopping: () => boolean
  /** What is under way is given up. */
  readonly stopping: AbortSignal
}

export interface LeasedWorkOptions<P extends Pool, Key extends { readonly accountId: string }> {
  /** What is served, such as `webhook`, for the log. */
  readonly name: string
  readonly pools: readonly P[]
  readonly clock: Clock
  readonly logger: Logger
  /** While it is so nothing is begun. */
  readonly isPaused: () => boolean
  /** Leases what has something to do, and gives it to nobody else. */
  claim(claim: Claim): Promise<readonly Key[]>
  /** One turn of one of them; gives the lease back. */
  serve(key: Key, turn: Turn<P>): Promise<void>
}

const LOOK_MS = 500

/** What is under way when the process stops has this long; what is cut off is done again. */
const STOP_MS = 3_000

/**
 * Leases what has something to do, of all accounts, and serves it, until it is stopped. Every worker does; no two serve
 * the same. No account has more than its share of the slots.
 */
export function startLeasedWork<P extends Pool, Key extends { readonly accountId: string }>(
  options: LeasedWorkOptions<P, Key>,
): { servedNow(): number; stop(): Promise<void> } {
  const { name, pools, clock, logger, isPaused } = options
  const alarm = createAlarm()
  const cutOff = new AbortController()
  const stopping = new AbortController()
  const tellClaim = tellFaults(logger, `${name}s cannot be claimed; retrying`)
  const tellServe = tellFaults(logger, `a ${name} cannot be served; retrying when its lease ends`)
  const serving = new Map<Promise<void>, { readonly pool: P; readonly accountId: string }>()

  const servedBy = (pool: P): string[] =>
    [...serving.values()].filter((each) => each.pool === pool).map(({ accountId }) => accountId)
  const isStopping = () => stopping.signal.aborted || isPaused()

  const serve = (pool: P, key: Key, lease: string) => {
    const work = options
      .serve(key, { pool, lease, isStopping, stopping: cutOff.signal })
      .catch((error: unknown) => tellServe(error))
      .finally(() => {
        // Others may wait for the slot; the one that had it has its next turn at the next look.
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
      if (!isPaused()) for (const pool of pools) await claim(pool).catch(tellClaim)
      await alarm.wait(LOOK_MS)
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
