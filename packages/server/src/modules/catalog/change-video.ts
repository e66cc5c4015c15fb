import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { VideoExists } from './errors.ts'
import { indexVideo } from './index-video.ts'
import { recordVideoWrite } from './record-write.ts'
import { requireNamedBrand } from './require-brand.ts'
import { requireVideoLocked } from './require-video.ts'
import { recount, requireNamedSeries } from './series-membership.ts'
import type { VideoFields, VideoRecord } from './video-record.ts'
import { updateVideo, type Video } from './video-store.ts'
import { countVideo } from './video-totals.ts'

/** Which channels a video was taken in for, no write of a person's may say. */
export type VideoChanges = Partial<VideoFields & Pick<VideoRecord, 'channel_id' | 'channel_ids'>>

/**
 * Changes what is said of a video. `changesOf` sees it as it is, under its lock, and may refuse.
 * Saying again what is said already is no change: the version stays.
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
  // Only where it changes: a brand that was deleted since stays where it is named.
  if (record.brand_id !== before.record.brand_id) {
    await requireNamedBrand(tx, accountId, record.brand_id, 'brand_id')
  }
  // Its old series is locked too, for both are counted in; by id, so that two who swap do not wait in a circle.
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
