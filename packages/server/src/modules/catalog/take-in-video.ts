import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { lockNamedBrand } from './brand-store.ts'
import { changeVideo } from './change-video.ts'
import { addBrand } from './create-brand.ts'
import { createVideo } from './create-video.ts'
import type { VideoDraft, VideoStatus } from './video-record.ts'
import { findVideoIdBySource, lockVideo, type Video } from './video-store.ts'

/** A video as a partner hands it over. `source_id` and `video_source_id` name it. */
export type TakenInVideo = VideoDraft & { readonly source_id: string; readonly video_source_id: string }

/**
 * The record of a video that is taken in for a channel: a new one, or the one
 * that the partner named so before, with what is said of it now. What the
 * packager found out stays: its length and its status, once it has media.
 */
export async function takeInVideo(
  tx: Transaction,
  actor: Actor,
  draft: TakenInVideo,
  channelId: string | null,
): Promise<Video> {
  const { accountId } = actor
  if (draft.brand_id != null) await ensureBrand(tx, actor, draft.brand_id)
  const known = await findVideoIdBySource(tx, accountId, draft.source_id, draft.video_source_id)
  if (known === undefined) return createVideo(tx, actor, { ...draft, status: 'PROCESSING' }, channelId)
  return changeVideo(tx, actor, known, ({ record, hlsPath }) => {
    const { channel_id, channel_ids } = record
    const isNew = channelId !== null && !channel_ids.includes(channelId)
    return {
      ...draft,
      duration: hlsPath === null ? draft.duration : record.duration,
      status: hlsPath === null && record.status === 'ERROR' ? 'PROCESSING' : record.status,
      channel_id: channel_id ?? channelId,
      channel_ids: isNew ? [...channel_ids, channelId] : channel_ids,
    }
  })
}

/** Where an ingest names a brand that is not there, there is one from now on. */
async function ensureBrand(tx: Transaction, actor: Actor, brandId: string): Promise<void> {
  if (await lockNamedBrand(tx, actor.accountId, brandId)) return
  await addBrand(tx, actor, { brandId, name: brandId })
}

/** Nobody else changes it before the transaction ends; false for one that is deleted. */
export async function lockVideoForMedia(
  tx: Transaction,
  accountId: string,
  videoId: string,
): Promise<boolean> {
  return (await lockVideo(tx, accountId, videoId)) !== undefined
}

/** Statuses that wait for media. What a person decided, that it is not to be seen, stays. */
const waiting: readonly VideoStatus[] = ['DRAFT', 'PROCESSING', 'ERROR']

/** The media of a video can be played from now on. */
export async function publishMedia(
  tx: Transaction,
  actor: Actor,
  videoId: string,
  media: Pick<VideoDraft, 'duration' | 'hlsPath' | 'mp4Path' | 'images'>,
): Promise<void> {
  await changeVideo(tx, actor, videoId, ({ record }) => ({
    ...media,
    status: waiting.includes(record.status) ? 'READY' : record.status,
  }))
}

/** There will be no media of a video; one that has some keeps it. */
export async function markMediaFailed(tx: Transaction, actor: Actor, videoId: string): Promise<void> {
  await changeVideo(tx, actor, videoId, ({ record, hlsPath, mp4Path }) =>
    record.status === 'PROCESSING' && hlsPath === null && mp4Path === null ? { status: 'ERROR' } : {},
  )
}
