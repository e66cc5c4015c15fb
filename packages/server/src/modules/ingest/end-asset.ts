import type { SlateKind } from '@continuity/core/packaging/slate-picture'
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
import { noteSlateReady } from '../schedule/index.ts'
import { type Asset, hasNewerReady, lockAsset, markEnded, markReady, type Package } from './asset-store.ts'
import { recordItems } from './request-events.ts'
import type { Reason } from './request-store.ts'
import { settleRequestsOf } from './settle-request.ts'

export interface MadeAsset extends Package {
  readonly images: readonly RecordImage[]
}

/** A tick is 1/90,000 s; a record tells whole seconds, and one that plays lasts at least one. */
const TICKS_PER_SECOND = 90_000

/**
 * The asset is published: its video can be played, and whoever waited for it
 * goes on. The video is locked before the asset, here and everywhere.
 */
export async function endReady(
  tx: Transaction,
  actor: Actor,
  { assetId, videoId }: Asset,
  made: MadeAsset,
): Promise<void> {
  const isThere = await lockVideoForMedia(tx, actor.accountId, videoId)
  const asset = await lockAsset(tx, actor.accountId, assetId)
  // Cancelled at the last moment. What was published is of no use, and of no harm.
  if (asset === undefined || !isUnfinished(asset)) return
  if (!isThere) return failLocked(tx, actor, asset, VIDEO_DELETED)
  // A file that was handed over later may have been quicker, and stays.
  if (!(await hasNewerReady(tx, asset))) {
    await publishMedia(tx, actor, videoId, {
      duration: Math.max(1, Math.round(made.durationTicks / TICKS_PER_SECOND)),
      hlsPath: `${MEDIA_BASE}${made.path}/main.m3u8`,
      mp4Path: `${MEDIA_BASE}${made.path}/video.mp4`,
      ...(made.images.length === 0 ? {} : { images: made.images }),
    })
  }
  await markReady(tx, asset, made, actor.nowMs)
  await recordItems(tx, actor, asset, 'READY', null)
  const kind = slateKindOf(asset)
  if (kind !== undefined) await setDefaultSlate(tx, actor.accountId, kind, asset.videoId)
  await settleRequestsOf(tx, actor, assetId)
  await noteSlateReady(tx, actor, asset.videoId)
}

/** There will be no such asset, for a reason that no further try mends. */
export async function endFailed(
  tx: Transaction,
  actor: Actor,
  { assetId, videoId }: Asset,
  reason: Reason,
): Promise<void> {
  const isThere = await lockVideoForMedia(tx, actor.accountId, videoId)
  const asset = await lockAsset(tx, actor.accountId, assetId)
  if (asset === undefined || !isUnfinished(asset)) return
  if (isThere) await markMediaFailed(tx, actor, videoId)
  await failLocked(tx, actor, asset, reason)
}

async function failLocked(tx: Transaction, actor: Actor, asset: Asset, reason: Reason): Promise<void> {
  await markEnded(tx, asset, 'FAILED', reason, actor.nowMs)
  await recordItems(tx, actor, asset, 'FAILED', reason)
  await settleRequestsOf(tx, actor, asset.assetId)
}

const VIDEO_DELETED: Reason = {
  code: 'video.deleted',
  message: 'The video was deleted while it was being packaged. Hand the program over again to have it back.',
}

export const isUnfinished = ({ state }: Pick<Asset, 'state'>) =>
  state === 'QUEUED' || state === 'FETCHING' || state === 'PACKAGING'

const SLATE = /^slate:(rescue|time_fill|ad)$/

/** Of an asset that is made by ourselves. */
export const slateKindOf = ({ madeFrom }: Pick<Asset, 'madeFrom'>): SlateKind | undefined =>
  SLATE.exec(madeFrom)?.[1] as SlateKind | undefined
