import { platformActor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import { type Asset, type AssetState, tellProgress } from './asset-store.ts'
import { recordItems } from './request-events.ts'

/** Often enough for whoever watches, seldom enough for the database. */
const EVERY_MS = 1_000

/** How much of the whole each step is, as a rule. */
const shares = { fetch: [0, 0.25], package: [0.25, 0.9], publish: [0.9, 1] } as const

export type Step = keyof typeof shares

export interface ProgressTeller extends AsyncDisposable {
  /** How much of a step is done. */
  tell(step: Step, share: number): void
  /** Aborted when nobody wants the asset any more. */
  readonly unwanted: AbortSignal
}

/**
 * Writes down how far the work on an asset is, at most once a second, and learns
 * at the same time whether anybody still waits for it. The work does not wait
 * for it, and does not end because it could not be told.
 */
export function startTelling(
  db: Db,
  asset: Asset,
  clock: () => number,
  onFault: (error: unknown) => void,
): ProgressTeller {
  const unwanted = new AbortController()
  let now: { step: Step; share: number } = { step: 'fetch', share: 0 }
  let telling: Promise<void> | undefined
  let told: AssetState = asset.state // the last state that is committed, as far as is known here

  const write = async () => {
    const [from, to] = shares[now.step]
    const state = now.step === 'fetch' ? 'FETCHING' : 'PACKAGING'
    const progress = from + (to - from) * now.share
    const isWanted =
      state === told
        ? await tellProgress(db, asset, state, progress, clock())
        : await db.transaction().execute(async (tx) => {
            if (!(await tellProgress(tx, asset, state, progress, clock()))) return false
            await recordItems(tx, platformActor(asset.accountId, clock()), asset, state, null)
            return true
          })
    told = state
    if (!isWanted) unwanted.abort(new Error('nobody waits for the asset any more'))
  }
  const beat = () => {
    telling ??= write()
      .catch(onFault)
      .finally(() => {
        telling = undefined
      })
  }
  beat()
  const timer = setInterval(beat, EVERY_MS)
  return {
    tell: (step, share) => {
      now = { step, share: Math.min(Math.max(share, 0), 1) }
    },
    unwanted: unwanted.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await telling
    },
  }
}
