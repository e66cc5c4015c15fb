import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { VideoExists } from '../records/errors.ts'
import { recordVideoWrite } from '../records/record-write.ts'
import { requireNamedBrand } from '../records/require-brand.ts'
import { requireVideoLocked } from '../records/require-video.ts'
import type { VideoFields, VideoRecord } from '../records/video-record.ts'
import { updateVideo, type Video } from '../records/video-store.ts'
import { countVideo } from '../records/video-totals.ts'
import { indexVideo } from '../search-index/index-video.ts'
import { recount, requireNamedSeries } from '../series/series-membership.ts'

/** Only an ingest changes the channels of a video. */
export type VideoChanges = Partial<VideoFields & Pick<VideoRecord, 'channel_id' | 'channel_ids'>>

/**
 * Changes a video. `changesOf` gets the locked video before the change, and may throw. If no value differs, the
 * version stays.
 */
export async function changeVideo(
  tx: Transaction,
  actor: Actor,
  videoId: string,
  changesOf: (video: Video) => VideoChanges,
): Promise<Video> {
  const { accountId, nowMs } = actor
  const before = await requireVideoLocked(tx, accountId, videoId)
  const changes = changesOf(before)
  const { hlsPath = before.hlsPath, mp4Path = before.mp4Path, ...fields } = changes
  const record = { ...before.record, ...fields }
  const media = { hlsPath, mp4Path }
  if (isDeepStrictEqual({ ...before, record, ...media }, before)) return before
  // Only for a new reference: the video keeps a brand that was deleted since.
  if (record.brand_id !== before.record.brand_id) {
    await requireNamedBrand(tx, accountId, record.brand_id, 'brand_id')
  }
  // Locks the old and the new series, because both counts change; ordered by id, to avoid deadlocks.
  const seriesIds = [...new Set([before.record.series_id ?? '', record.series_id ?? ''])].toSorted()
  const titles = new Map<string, string>()
  for (const id of seriesIds) titles.set(id, await requireNamedSeries(tx, accountId, id || null))
  const last_updated = new Date(nowMs).toISOString()
  const after = await updateVideo(tx, before, { ...record, last_updated }, media)
  if (after === undefined) throw VideoExists(record.source_id, record.video_source_id)
  await recordVideoWrite(tx, actor, { before, after })
  await recount(tx, accountId, before.record, after.record)
  const seriesTitle = titles.get(record.series_id ?? '') ?? ''
  await indexVideo(tx, actor, { before: before.record, after: after.record, seriesTitle })
  await countVideo(tx, accountId, before.record, after.record)
  return after
}
