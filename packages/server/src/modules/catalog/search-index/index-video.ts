import { distinctWordsOf, rankedWordsOf, termsOf } from '@continuity/core/search/search-terms'
import { gramsOf } from '@continuity/core/search/similar-words'
import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { enqueue } from '../../../platform/jobs/all-jobs.ts'
import {
  addTier,
  countInTier,
  findTierEnd,
  HIGHEST_KEY,
  lockTierOf,
  type Tier,
  type TierKey,
} from '../records/tier-store.ts'
import { columnsOf, searchedOf } from '../records/video-document.ts'
import type { VideoRecord } from '../records/video-record.ts'
import { findNewestKey } from '../records/video-store.ts'
import { removeSearchRow, saveSearchRow } from './search-store.ts'
import { addWords } from './word-store.ts'

/**
 * The number of videos of a full tier: the next video, if it is the newest, begins
 * another. A common word matches a third of them, and a search reads as few tiers as
 * it needs; half as many would double the tiers to search for a rare word.
 */
export const TIER_FULL = 32_768

/** A tier that grows by insertions is divided at this size. */
export const dividedAt = (tierFull: number) => 2 * tierFull

/**
 * Indexes a video. Late in the transaction: until that ends, other writes of videos of
 * the same tier wait.
 *
 * Results do not depend on the size of tiers, so tests use small ones.
 */
export async function indexVideo(
  tx: Transaction,
  actor: Actor,
  { before, after, seriesTitle }: IndexedChange,
  tierFull = TIER_FULL,
): Promise<void> {
  const { accountId } = actor
  const from = before === null ? null : keyOf(before)
  const tier = await placeInTier(tx, actor, { before: from, after: keyOf(after) }, tierFull)
  const searched = searchedOf(after, seriesTitle)
  const columns = columnsOf(after, { hlsPath: null, mp4Path: null })
  await saveSearchRow(tx, {
    accountId,
    videoId: after.video_id,
    publishedMs: columns.published_ms,
    availableMs: columns.available_ms,
    expiredMs: columns.expired_ms,
    duration: columns.duration,
    isReady: after.status === 'READY',
    tier,
    terms: termsOf(searched, tier),
    words: rankedWordsOf(searched),
  })
  await addWords(tx, accountId, distinctWordsOf(searched), gramsOf)
}

export interface IndexedChange {
  readonly before: VideoRecord | null
  readonly after: VideoRecord
  readonly seriesTitle: string
}

/** Removes a deleted video from the index. */
export async function unindexVideo(tx: Transaction, accountId: string, video: VideoRecord): Promise<void> {
  const tier = await lockTierOf(tx, accountId, keyOf(video))
  await countInTier(tx, accountId, tier, -1)
  await removeSearchRow(tx, accountId, video.video_id)
}

const keyOf = (record: VideoRecord): TierKey => ({
  publishedMs: columnsOf(record, { hlsPath: null, mp4Path: null }).published_ms,
  videoId: record.video_id,
})

/** Counts a video into its tier. Returns the number of the tier. */
async function placeInTier(
  tx: Transaction,
  actor: Actor,
  { before, after }: { readonly before: TierKey | null; readonly after: TierKey },
  tierFull: number,
): Promise<number> {
  const { accountId } = actor
  if (before?.publishedMs === after.publishedMs) return (await lockTierOf(tx, accountId, after)).tier
  // Tiers are always locked from the older to the newer, to avoid deadlocks.
  if (before !== null && before.publishedMs < after.publishedMs) await leaveTier(tx, accountId, before)
  const tier = await lockTierOf(tx, accountId, after)
  const placed = await enterTier(tx, actor, tier, after, tierFull)
  if (before !== null && before.publishedMs > after.publishedMs) await leaveTier(tx, accountId, before)
  return placed
}

async function leaveTier(tx: Transaction, accountId: string, key: TierKey): Promise<void> {
  await countInTier(tx, accountId, await lockTierOf(tx, accountId, key), -1)
}

async function enterTier(
  tx: Transaction,
  actor: Actor,
  tier: Tier,
  key: TierKey,
  tierFull: number,
): Promise<number> {
  const { accountId, requestId } = actor
  if (tier.videos >= tierFull && (await isNewest(tx, accountId, tier, key))) {
    await addTier(tx, accountId, key, { videos: 1, moving: [] })
    return (await lockTierOf(tx, accountId, key)).tier
  }
  await countInTier(tx, accountId, tier, 1)
  if (tier.videos >= dividedAt(tierFull) && tier.moving.length === 0) {
    const data = { from_ms: tier.fromMs, from_id: tier.fromId }
    await enqueue(tx, 'divide_tier', data, {
      accountId,
      requestId: requestId ?? undefined,
      key: accountId,
    })
  }
  return tier.tier
}

async function isNewest(tx: Transaction, accountId: string, tier: Tier, key: TierKey): Promise<boolean> {
  if ((await findTierEnd(tx, accountId, tier)).publishedMs !== HIGHEST_KEY.publishedMs) return false
  const newest = await findNewestKey(tx, accountId, key.videoId)
  if (newest === undefined) return true
  return (
    newest.publishedMs < key.publishedMs ||
    (newest.publishedMs === key.publishedMs && newest.videoId < key.videoId)
  )
}
