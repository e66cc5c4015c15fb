import { listCuePoints, NOTHING_FOUND } from '@continuity/core/media/video-cue-points'
import type { Actor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { VideoExists } from '../records/errors.ts'
import { recordVideoWrite } from '../records/record-write.ts'
import { requireNamedBrand } from '../records/require-brand.ts'
import { fillVideo, type VideoDraft, type VideoRecord } from '../records/video-record.ts'
import { insertVideo, type Video } from '../records/video-store.ts'
import { countVideo } from '../records/video-totals.ts'
import { indexVideo } from '../search-index/index-video.ts'
import { recount, requireNamedSeries } from '../series/series-membership.ts'
import { requireCuePoints } from './set-cue-points.ts'

/** Creates a video, which was ingested for a channel or for none. */
export async function createVideo(
  tx: Transaction,
  actor: Actor,
  draft: VideoDraft,
  channelId: string | null = null,
): Promise<Video> {
  const { accountId, nowMs } = actor
  const { hlsPath, mp4Path, ...fields } = fillVideo(draft)
  const seriesTitle = await requireNamedSeries(tx, accountId, fields.series_id)
  await requireNamedBrand(tx, accountId, fields.brand_id, 'brand_id')
  const at = new Date(nowMs).toISOString()
  const made = { video_id: newId(nowMs), date_created: at, last_updated: at }
  const channels = { channel_id: channelId, channel_ids: channelId === null ? [] : [channelId] }
  const cue_points_ms = requireCuePoints(fields.cue_points_ms, fields.duration)
  const cues = { cue_points_ms, cue_points: listCuePoints(cue_points_ms, NOTHING_FOUND, undefined) }
  const record: VideoRecord = { ...fields, ...made, ...channels, ...cues }
  const video = await insertVideo(tx, accountId, record, { hlsPath, mp4Path })
  if (video === undefined) throw VideoExists(fields.source_id, fields.video_source_id)
  await recordVideoWrite(tx, actor, { before: null, after: video })
  await recount(tx, accountId, null, record)
  await indexVideo(tx, actor, { before: null, after: record, seriesTitle })
  await countVideo(tx, accountId, null, record)
  return video
}
