import type { Transaction } from '../../../platform/database/database.ts'
import { actorOf } from '../../../platform/jobs/actor-of.ts'
import type { JobHandler } from '../../../platform/jobs/job-handler.ts'
import {
  addTier,
  countInTier,
  findTierEnd,
  listUnsettledTiers,
  lockTierOf,
  markTierSettled,
  type Tier,
  type TierKey,
} from '../records/tier-store.ts'
import { countKeysBetween, findKeyAt, listKeysBetween } from '../records/video-store.ts'
import { dividedAt, TIER_FULL } from './index-video.ts'
import { moveToTier } from './search-store.ts'

export type DivideTier = { readonly from_ms: number; readonly from_id: string }

export interface TierSizes {
  readonly tierFull: number
  /** At least two: a batch begins with the last video of the previous one. */
  readonly movedAtOnce: number
}

/** Writes to the tier wait for a batch to end; one of a hundred videos takes about 50 ms. */
const MOVED_AT_ONCE = 100

/** Divides a tier that has grown by insertions. */
export const divideTier = tierDivider({ tierFull: TIER_FULL, movedAtOnce: MOVED_AT_ONCE })

/**
 * The first transaction adds the new tier, and later writes use it. Videos of the new
 * tier that still have the old number are moved in small batches, and are found under
 * either number meanwhile. After an interruption, the next run continues.
 */
export function tierDivider({ tierFull, movedAtOnce }: TierSizes): JobHandler<DivideTier> {
  return async (run) => {
    const { db, data, signal } = run
    const { accountId } = actorOf(run)
    const start = { publishedMs: data.from_ms, videoId: data.from_id }
    await db.transaction().execute((tx) => divide(tx, accountId, start, tierFull))
    for (const tier of await listUnsettledTiers(db, accountId)) {
      let next: TierKey | undefined = startOf(tier)
      while (next !== undefined) {
        signal.throwIfAborted()
        const from: TierKey = next
        next = await db.transaction().execute((tx) => moveSome(tx, accountId, tier, from, movedAtOnce))
      }
      signal.throwIfAborted()
      await db.transaction().execute((tx) => markTierSettled(tx, accountId, tier))
    }
  }
}

/** Divides a tier in half, unless that was done already: a repeated job must not divide the halves. */
async function divide(tx: Transaction, accountId: string, start: TierKey, tierFull: number): Promise<void> {
  const tier = await lockTierOf(tx, accountId, start)
  if (tier.moving.length > 0) return
  const end = await findTierEnd(tx, accountId, tier)
  const videos = await countKeysBetween(tx, accountId, start, end)
  const half = Math.floor(videos / 2)
  if (half < 1 || videos < dividedAt(tierFull)) return
  const middle = await findKeyAt(tx, accountId, start, end, half)
  if (middle === undefined) return
  await addTier(tx, accountId, middle, { videos: videos - half, moving: [tier.tier] })
  await countInTier(tx, accountId, tier, half - tier.videos)
}

/**
 * Gives some videos the number of their tier. Returns the key at which to continue.
 *
 * The tier is locked: otherwise a video that leaves it after the listing, or that
 * begins a new tier, would get the wrong number and would not be found.
 */
async function moveSome(
  tx: Transaction,
  accountId: string,
  tier: Tier,
  from: TierKey,
  most: number,
): Promise<TierKey | undefined> {
  const end = await findTierEnd(tx, accountId, await lockTierOf(tx, accountId, startOf(tier)))
  const keys = await listKeysBetween(tx, accountId, from, end, most)
  const ids = keys.map(({ videoId }) => videoId)
  await moveToTier(tx, accountId, ids, tier.tier)
  return keys.length < most ? undefined : keys.at(-1)
}

const startOf = ({ fromMs, fromId }: Tier): TierKey => ({ publishedMs: fromMs, videoId: fromId })
