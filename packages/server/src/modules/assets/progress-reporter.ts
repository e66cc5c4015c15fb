import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { type Asset, type AssetState, setProgress } from './asset-store.ts'

/** Often enough for a person who watches, rarely enough for the database. */
const EVERY_MS = 1_000

/** The usual share of each step in the total progress. */
const shares = { fetch: [0, 0.25], package: [0.25, 0.9], publish: [0.9, 1] } as const

export type Step = keyof typeof shares

export interface ProgressReporter extends AsyncDisposable {
  /** How much of a step is done, from 0 to 1. */
  report(step: Step, share: number): void
  /** Aborted when the asset was cancelled. */
  readonly unwanted: AbortSignal
}

export interface ProgressOptions {
  readonly clock: () => number
  /** Runs in the transaction that changes the state of the asset. */
  readonly onState: (tx: Transaction, actor: Actor, state: 'FETCHING' | 'PACKAGING') => Promise<void>
  readonly onFault: (error: unknown) => void
}

/**
 * Writes the progress of an asset to its row, at most once a second, and finds out in the same statement whether it was
 * cancelled. The work does not wait for these writes and does not fail with them.
 */
export function reportProgress(
  db: Db,
  asset: Asset,
  { clock, onState, onFault }: ProgressOptions,
): ProgressReporter {
  const unwanted = new AbortController()
  let now: { step: Step; share: number } = { step: 'fetch', share: 0 }
  let writing: Promise<void> | undefined
  let committed: AssetState = asset.state // the last state that is committed, as far as is known here

  const write = async () => {
    const [from, to] = shares[now.step]
    const state = now.step === 'fetch' ? 'FETCHING' : 'PACKAGING'
    const progress = from + (to - from) * now.share
    const isWanted =
      state === committed
        ? await setProgress(db, asset, state, progress, clock())
        : await db.transaction().execute(async (tx) => {
            if (!(await setProgress(tx, asset, state, progress, clock()))) return false
            await onState(tx, platformActor(asset.accountId, clock()), state)
            return true
          })
    committed = state
    if (!isWanted) unwanted.abort(new Error('the asset was cancelled'))
  }
  const tick = () => {
    writing ??= write()
      .catch(onFault)
      .finally(() => {
        writing = undefined
      })
  }
  tick()
  const timer = setInterval(tick, EVERY_MS)

  return {
    report: (step, share) => {
      now = { step, share: Math.min(Math.max(share, 0), 1) }
    },
    unwanted: unwanted.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await writing
    },
  }
}
