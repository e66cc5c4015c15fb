import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { addBrand } from '../brands/create-brand.ts'
import { lockNamedBrand } from '../records/brand-store.ts'
import type { VideoDraft, VideoStatus } from '../records/video-record.ts'
import { findVideoIdBySource, lockVideo, type Video } from '../records/video-store.ts'
import { changeVideo } from './change-video.ts'
import { createVideo } from './create-video.ts'

/** A video as a partner delivers it, identified by `source_id` and `video_source_id`. */
export type IngestedVideo = VideoDraft & { readonly source_id: string; readonly video_source_id: string }

/**
 * Creates or updates a video that is ingested for a channel, by the partner's id.
 * Once it has media, the duration and the status that the packager found stay.
 */
export async function upsertIngestedVideo(
  tx: Transaction,
  actor: Actor,
  draft: IngestedVideo,
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

/** An ingest creates the brands that it references. */
async function ensureBrand(tx: Transaction, actor: Actor, brandId: string): Promise<void> {
  if (await lockNamedBrand(tx, actor.accountId, brandId)) return
  await addBrand(tx, actor, { brandId, name: brandId })
}

/** Locks the video until the transaction ends; undefined if it is deleted. */
export async function lockVideoForMedia(
  tx: Transaction,
  accountId: string,
  videoId: string,
): Promise<{ readonly title: string; readonly givenMs: readonly number[] | null } | undefined> {
  const video = await lockVideo(tx, accountId, videoId)
  return video && { title: video.record.title, givenMs: video.record.cue_points_ms }
}

/** The statuses that media changes to READY. DISABLED, which an editor sets, stays. */
const waiting: readonly VideoStatus[] = ['DRAFT', 'PROCESSING', 'ERROR']

/** Sets the playable media of a video. */
export async function publishMedia(
  tx: Transaction,
  actor: Actor,
  videoId: string,
  media: Pick<VideoDraft, 'duration' | 'hlsPath' | 'mp4Path' | 'images' | 'cue_points'>,
): Promise<void> {
  await changeVideo(tx, actor, videoId, ({ record }) => ({
    ...media,
    status: waiting.includes(record.status) ? 'READY' : record.status,
  }))
}

/** Marks a video as failed, unless it has media. */
export async function markMediaFailed(tx: Transaction, actor: Actor, videoId: string): Promise<void> {
  await changeVideo(tx, actor, videoId, ({ record, hlsPath, mp4Path }) =>
    record.status === 'PROCESSING' && hlsPath === null && mp4Path === null ? { status: 'ERROR' } : {},
  )
}
