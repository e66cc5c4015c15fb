import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { VideoExists } from './errors.ts'
import { indexVideo } from './index-video.ts'
import { recordVideoWrite } from './record-write.ts'
import { requireNamedBrand } from './require-brand.ts'
import { recount, requireNamedSeries } from './series-membership.ts'
import { fillVideo, type VideoDraft, type VideoRecord } from './video-record.ts'
import { insertVideo, type Video } from './video-store.ts'
import { countVideo } from './video-totals.ts'

/** Makes the record of a video, which was taken in for a channel or for none. */
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
  const record: VideoRecord = { ...fields, ...made, ...channels }
  const video = await insertVideo(tx, accountId, record, { hlsPath, mp4Path })
  if (video === undefined) throw VideoExists(fields.source_id, fields.video_source_id)
  await recordVideoWrite(tx, actor, { before: null, after: video })
  await recount(tx, accountId, null, record)
  await indexVideo(tx, actor, { before: null, after: record, seriesTitle })
  await countVideo(tx, accountId, null, record)
  return video
}
