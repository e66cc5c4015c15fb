import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { setDefaultSlate } from '../accounts/index.ts'
import {
  lockVideoForMedia,
  MEDIA_BASE,
  markMediaFailed,
  publishMedia,
  type RecordImage,
} from '../catalog/index.ts'
import {
  type Asset,
  hasNewerReady,
  isUnfinished,
  lockAsset,
  markEnded,
  markReady,
  type Package,
  type Reason,
  slateKindOf,
} from './asset-store.ts'

export interface MadeAsset extends Package {
  readonly images: readonly RecordImage[]
}

/** How an asset ended. */
export type AssetEnd =
  | { readonly state: 'READY'; readonly reason: null }
  | { readonly state: 'FAILED'; readonly reason: Reason }

/** A tick is 1/90,000 s; a record has whole seconds, and a video that plays lasts at least one. */
const TICKS_PER_SECOND = 90_000

/**
 * Publishes the media of an asset in the catalog and marks it READY. Undefined where it had ended before. The video is
 * locked before the asset, here and everywhere.
 */
export async function endReady(
  tx: Transaction,
  actor: Actor,
  { assetId, videoId }: Asset,
  made: MadeAsset,
): Promise<AssetEnd | undefined> {
  const hasVideo = await lockVideoForMedia(tx, actor.accountId, videoId)
  const asset = await lockAsset(tx, actor.accountId, assetId)
  // Cancelled at the last moment: the published files stay unused.
  if (asset === undefined || !isUnfinished(asset)) return undefined
  if (!hasVideo) return failLocked(tx, actor, asset, VIDEO_DELETED)
  // Media of a newer file of the same video is not overwritten.
  if (!(await hasNewerReady(tx, asset))) {
    await publishMedia(tx, actor, videoId, {
      duration: Math.max(1, Math.round(made.durationTicks / TICKS_PER_SECOND)),
      hlsPath: `${MEDIA_BASE}${made.path}/main.m3u8`,
      mp4Path: `${MEDIA_BASE}${made.path}/video.mp4`,
      ...(made.images.length === 0 ? {} : { images: made.images }),
    })
  }
  await markReady(tx, asset, made, actor.nowMs)
  const kind = slateKindOf(asset)
  if (kind !== undefined) await setDefaultSlate(tx, actor.accountId, kind, asset.videoId)
  return { state: 'READY', reason: null }
}

/** Marks an asset FAILED for a reason that no further attempt removes. Undefined where it had ended before. */
export async function endFailed(
  tx: Transaction,
  actor: Actor,
  { assetId, videoId }: Asset,
  reason: Reason,
): Promise<AssetEnd | undefined> {
  const hasVideo = await lockVideoForMedia(tx, actor.accountId, videoId)
  const asset = await lockAsset(tx, actor.accountId, assetId)
  if (asset === undefined || !isUnfinished(asset)) return undefined
  if (hasVideo) await markMediaFailed(tx, actor, videoId)
  return failLocked(tx, actor, asset, reason)
}

async function failLocked(tx: Transaction, actor: Actor, asset: Asset, reason: Reason): Promise<AssetEnd> {
  await markEnded(tx, asset, 'FAILED', reason, actor.nowMs)
  return { state: 'FAILED', reason }
}

const VIDEO_DELETED: Reason = {
  code: 'video.deleted',
  message: 'The video was deleted while it was being packaged. Hand the program over again to have it back.',
}
