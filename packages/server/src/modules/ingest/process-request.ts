import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import { findAsset, requireAsset } from '../assets/index.ts'
import { type IngestedVideo, upsertIngestedVideo } from '../catalog/index.ts'
import { findChannelLocked } from '../channels/index.ts'
import { cancelUnwanted } from './cancel-unwanted.ts'
import { listItemsWithoutAsset, setItemAsset, type WaitingItem } from './item-store.ts'
import { placeRequest } from './place-request.ts'
import { recordItems } from './request-events.ts'
import { findRequest, type IngestRequest, lockRequest } from './request-store.ts'
import { replacedBy } from './restore-replaced.ts'
import { noteEnded, settleRequest } from './settle-request.ts'

/**
 * Creates the records of a request's videos, and a job for each file that is not packaged yet. Each item has a transaction
 * of its own, because a thousand in one would block all other writers of the catalog; a repeated run continues with the
 * remaining items.
 */
export const processRequest: JobHandler<{ readonly request_id: string }> = async (run) => {
  const { db, data, signal } = run
  const actor = actorOf(run)
  const { accountId } = actor
  const request = await findRequest(db, accountId, data.request_id)
  if (request === undefined) throw new Error(`request ${data.request_id} does not exist`)
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
    // Its videos may have failed or become ready before it was placed.
    const settled = now && (await settleRequest(tx, { ...actor, nowMs }, request.requestId))
    if (settled?.state === 'FAILED') await noteEnded(tx, { ...actor, nowMs }, settled)
  })
}

/** False where the request has lost its time slot meanwhile: the rest of its items is not needed. */
async function startItem(db: Db, actor: Actor, request: IngestRequest, item: WaitingItem): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const now = await findRequest(tx, actor.accountId, request.requestId)
    if (now?.state !== 'QUEUED') return false
    const { videoId } = await upsertIngestedVideo(tx, actor, draftOf(request, item), request.channelId)
    const { video_url: madeFrom, image_url: imageUrl } = item.document
    const assetId = await requireAsset(tx, actor, { videoId, madeFrom, imageUrl })
    await setItemAsset(tx, request, item.position, assetId)
    const asset = await findAsset(tx, actor.accountId, assetId)
    if (asset !== undefined) await recordItems(tx, actor, asset, asset.state, null, request.requestId)
    return true
  })
}

function draftOf({ sourceId, brandId }: IngestRequest, item: WaitingItem): IngestedVideo {
  const { extra: _extra, video_url: _videoUrl, image_url: _imageUrl, ...fields } = item.document
  return {
    ...fields,
    source_id: sourceId,
    video_source_id: item.videoSourceId,
    duration: item.duration,
    ...(brandId === null ? {} : { brand_id: brandId }),
  }
}
