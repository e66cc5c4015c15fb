import { sql } from 'kysely'
import { isId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { recordOf } from './video-document.ts'
import type { VideoRecord } from './video-record.ts'

/** A video as a program shows it. */
export type ScheduledVideo = Pick<
  VideoRecord,
  | 'video_id'
  | 'title'
  | 'duration'
  | 'status'
  | 'content_type'
  | 'genres'
  | 'parental_rating'
  | 'audio_language'
  | 'season_number'
  | 'episode_number'
  | 'images'
>

/** Videos that exist, by id; locks them against deletion until the transaction ends. */
export async function lockScheduledVideos(
  tx: Transaction,
  accountId: string,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, ScheduledVideo>> {
  const { rows } = await sql<{ readonly document: string; readonly deletedMs: number | null }>`
    select document, deleted_ms as "deletedMs" from videos
     where account_id = ${accountId} and video_id = any(${videoIds.filter(isId)}::uuid[])
     order by video_id for key share`.execute(tx)
  const present = rows.filter(({ deletedMs }) => deletedMs === null).map(({ document }) => recordOf(document))
  return new Map(present.map((video) => [video.video_id, video]))
}
