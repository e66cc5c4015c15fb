import type { Actor } from '../../platform/actor.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import { lockFormat } from '../accounts/index.ts'
import { type TakenInVideo, takeInVideo } from '../catalog/index.ts'
import { findChannelLocked } from '../channels/index.ts'
import { isAssetScheduled } from '../schedule/index.ts'
import {
  countUnfinished,
  findAsset,
  insertAsset,
  listUnfinished,
  lockAsset,
  lockAssetFor,
  markEnded,
} from './asset-store.ts'
import { isUnfinished, slateKindOf } from './end-asset.ts'
import { listItemsWithoutAsset, listRequestsOfAsset, setItemAsset, type WaitingItem } from './item-store.ts'
import { placeRequest } from './place-request.ts'
import { recordItems } from './request-events.ts'
import { findRequest, type IngestRequest, lockRequest } from './request-store.ts'
import { replacedBy } from './restore-replaced.ts'
import { noteEnded, settleRequest } from './settle-request.ts'

/**
 * Makes the records of a request's videos, and leaves a job for each file that
 * is not packaged yet. Each item is a transaction of its own, because a thousand
 * in one would keep all others who write the catalog waiting; run again, it goes
 * on with those that are left.
 */
export const processRequest: JobHandler<{ readonly request_id: string }> = async (run) => {
  const { db, data, signal } = run
  const actor = actorOf(run)
  const { accountId } = actor
  const request = await findRequest(db, accountId, data.request_id)
  if (request === undefined) throw new Error('the request is not there')
  for (const item of await listItemsWithoutAsset(db, request)) {
    signal.throwIfAborted()
    if (!(await startItem(db, actor, request, item))) break
  }
  await run.finish(async (tx, nowMs) => {
    // Before the request, as when one is accepted: which request has the time slot changes under this lock only.
    await findChannelLocked(tx, accountId, request.channelId)
    const now = await lockRequest(tx, accountId, request.requestId)
    if (now?.state === 'QUEUED' && (await placeRequest(tx, { ...actor, nowMs }, now)))
      for await (const former of replacedBy(tx, now))
        await cancelUnwanted(tx, { ...actor, nowMs }, former.requestId)
    // It may have been replaced itself while its items were started.
    if (now?.state === 'REPLACED') await cancelUnwanted(tx, { ...actor, nowMs }, request.requestId)
    // Its videos may have failed or become ready before this was told.
    const settled = now && (await settleRequest(tx, { ...actor, nowMs }, request.requestId))
    if (settled?.state === 'FAILED') await noteEnded(tx, { ...actor, nowMs }, settled)
  })
}

/** False where the request has lost its place meanwhile: the rest of its items is nobody's wish. */
async function startItem(db: Db, actor: Actor, request: IngestRequest, item: WaitingItem): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const now = await findRequest(tx, actor.accountId, request.requestId)
    if (now?.state !== 'QUEUED') return false
    const { videoId } = await takeInVideo(tx, actor, draftOf(request, item), request.channelId)
    const { video_url: madeFrom, image_url: imageUrl } = item.document
    const assetId = await requireAsset(tx, actor, { videoId, madeFrom, imageUrl })
    await setItemAsset(tx, request, item.place, assetId)
    const asset = await findAsset(tx, actor.accountId, assetId)
    if (asset !== undefined) await recordItems(tx, actor, asset, asset.state, null, request.requestId)
    return true
  })
}

function draftOf({ sourceId, brandId }: IngestRequest, item: WaitingItem): TakenInVideo {
  const { extra: _extra, video_url: _videoUrl, image_url: _imageUrl, ...fields } = item.document
  return {
    ...fields,
    source_id: sourceId,
    video_source_id: item.videoSourceId,
    duration: item.duration,
    ...(brandId === null ? {} : { brand_id: brandId }),
  }
}

export interface AssetFile {
  readonly videoId: string
  readonly madeFrom: string
  readonly imageUrl: string | null
}

/** The asset of a video's file: the one that there is, or a new one with the job that makes it. */
export async function requireAsset(tx: Transaction, actor: Actor, file: AssetFile): Promise<string> {
  const { accountId, nowMs } = actor
  // Locked here too, so that of two at once the second finds the asset of the first.
  await lockFormat(tx, accountId, nowMs)
  const known = await lockAssetFor(tx, accountId, file.videoId, file.madeFrom)
  return known?.assetId ?? createAsset(tx, actor, file)
}

/** A new asset, with the job that makes it. */
export async function createAsset(tx: Transaction, actor: Actor, file: AssetFile): Promise<string> {
  const { accountId, nowMs } = actor
  // From the first asset on, frame rate and segment length stay: all media of an account is alike.
  const format = await lockFormat(tx, accountId, nowMs)
  const assetId = newId(nowMs)
  // An account's own queue decides on the place, so that a thousand files of one do not hold up the first of another.
  const waiting = await countUnfinished(tx, accountId)
  await insertAsset(tx, { ...file, ...format, accountId, assetId }, nowMs)
  await enqueue(
    tx,
    slateKindOf(file) === undefined ? 'package_asset' : 'make_slate',
    { asset_id: assetId },
    { accountId, requestId: actor.requestId ?? undefined, priority: -waiting },
  )
  return assetId
}

/** What only a request that was replaced waited for is not made any more. */
async function cancelUnwanted(tx: Transaction, actor: Actor, requestId: string): Promise<void> {
  const { accountId, nowMs } = actor
  for (const assetId of await listUnfinished(tx, accountId, requestId)) {
    const asset = await lockAsset(tx, accountId, assetId)
    if (asset === undefined || !isUnfinished(asset)) continue
    // Asked under the lock: another request may have taken it up a moment ago.
    const waiting = await listRequestsOfAsset(tx, accountId, assetId)
    // The program of a request that was replaced airs after all where its successor fails.
    const isScheduled = await isAssetScheduled(tx, accountId, assetId, nowMs)
    if (waiting.length > 0 || isScheduled) continue
    await markEnded(tx, asset, 'CANCELLED', null, nowMs)
    await recordItems(tx, actor, asset, 'CANCELLED', null, requestId)
  }
}
