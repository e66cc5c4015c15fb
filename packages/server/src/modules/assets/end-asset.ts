import { isDeepStrictEqual } from 'node:util'
import { listCuePoints } from '@continuity/core/media/video-cue-points'
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
import { foundIn, packageAgain } from './apply-cue-points.ts'
import {
  type Asset,
  type FoundPackage,
  findNewestPackage,
  hasNewerReady,
  isUnfinished,
  listFormer,
  lockAsset,
  markEnded,
  markReady,
  type Reason,
  slateKindOf,
} from './asset-store.ts'
import { alertNotPackaged, closeNotPackaged } from './cue-alert.ts'
import { mediaOf } from './read.ts'

export interface MadeAsset extends FoundPackage {
  readonly images: readonly RecordImage[]
  /** The given cue points that it has. */
  readonly givenMs: readonly number[] | null
}

/** How an asset ended. */
export type AssetEnd =
  | { readonly state: 'READY'; readonly reason: null; readonly former: readonly string[] }
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
  const video = await lockVideoForMedia(tx, actor.accountId, videoId)
  const asset = await lockAsset(tx, actor.accountId, assetId)
  // Cancelled at the last moment: the published files stay unused.
  if (asset === undefined || !isUnfinished(asset)) return undefined
  if (video === undefined) return failLocked(tx, actor, asset, VIDEO_DELETED)
  const former = await listFormer(tx, asset)
  await markReady(tx, asset, made, actor.nowMs)
  // Media of a newer file of the same video is not overwritten.
  const newest = (await hasNewerReady(tx, asset))
    ? undefined
    : await findNewestPackage(tx, actor.accountId, videoId)
  if (newest !== undefined) {
    await publishMedia(tx, actor, videoId, {
      duration: Math.max(1, Math.round(made.durationTicks / TICKS_PER_SECOND)),
      hlsPath: `${MEDIA_BASE}${made.path}/main.m3u8`,
      mp4Path: `${MEDIA_BASE}${made.path}/video.mp4`,
      cue_points: listCuePoints(video.givenMs, foundIn(newest), mediaOf(newest)),
      // An editor may have replaced the images since the file was packaged first.
      ...(made.images.length === 0 || former.length > 0 ? {} : { images: made.images }),
    })
    // Only if others were given meanwhile: packaged again with the same ones, it would be the same.
    if (!isDeepStrictEqual(video.givenMs, made.givenMs)) await packageAgain(tx, actor, newest, video.givenMs)
  }
  await closeNotPackaged(tx, actor, videoId)
  const kind = slateKindOf(asset)
  if (kind !== undefined) await setDefaultSlate(tx, actor.accountId, kind, asset.videoId)
  return { state: 'READY', reason: null, former }
}

/** Marks an asset FAILED for a reason that no further attempt removes. Undefined where it had ended before. */
export async function endFailed(
  tx: Transaction,
  actor: Actor,
  { assetId, videoId }: Asset,
  reason: Reason,
): Promise<AssetEnd | undefined> {
  const video = await lockVideoForMedia(tx, actor.accountId, videoId)
  const asset = await lockAsset(tx, actor.accountId, assetId)
  if (asset === undefined || !isUnfinished(asset)) return undefined
  if (video !== undefined) {
    await markMediaFailed(tx, actor, videoId)
    const isAgain = slateKindOf(asset) === undefined && (await listFormer(tx, asset)).length > 0
    if (isAgain) await alertNotPackaged(tx, actor, { videoId, title: video.title }, reason)
  }
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
