import { type RawBuilder, sql } from 'kysely'
import { type Db, executeAsBytes, type Transaction, tables } from '../../../platform/database/database.ts'
import { pageLimit } from '../../../platform/database/page-limit.ts'
import { BEFORE_POSITIONS, positionsFor } from './playlist-positions.ts'
import { type MediaType, mediaColumn } from './video-document.ts'
import { isVisible, type StoredDocument, shownDocument } from './video-store.ts'

interface PlaylistVideoRow {
  account_id: string
  playlist_id: string
  place: number
  video_id: string
}

const on = tables<{ playlist_videos: PlaylistVideoRow }>()

/**
 * Joins `seen.videos`: how many videos of a playlist `p` are public at a time.
 *
 * Each video is looked up by its id, here and below. With wrong row estimates, PostgreSQL
 * would choose worse plans: without the limit, a nested loop over all videos; with a condition
 * on `deleted_ms`, which is redundant here, a scan of a partial index over the whole account.
 */
export const joinVisibleVideos = (accountId: string, visibleAtMs: number): RawBuilder<unknown> => sql`
  cross join lateral (
    select count(*) as videos
      from playlist_videos l
     cross join lateral (
        select from videos v
         where v.account_id = ${accountId} and v.video_id = l.video_id and ${isVisible(visibleAtMs)} limit 1) as shown
     where l.account_id = ${accountId} and l.playlist_id = p.playlist_id) as seen`

/** In playlist order. */
export async function listVideoIds(
  db: Db,
  accountId: string,
  playlistId: string,
): Promise<readonly string[]> {
  return [...(await readPositions(db, accountId, playlistId)).keys()]
}

/** The first videos of a playlist with their titles, in playlist order. */
export async function listPlaylistTitles(
  db: Db,
  accountId: string,
  playlistId: string,
  most: number,
): Promise<readonly { readonly videoId: string; readonly title: string }[]> {
  const { rows } = await sql<{ readonly videoId: string; readonly title: string }>`
    select l.video_id as "videoId", v.title
      from playlist_videos l
     cross join lateral (
        select title from videos v
         where v.account_id = ${accountId} and v.video_id = l.video_id limit 1) as v
     where l.account_id = ${accountId} and l.playlist_id = ${playlistId}
     order by l.place
     limit ${most}`.execute(db)
  return rows
}

/** Positions by video id, in playlist order. */
async function readPositions(
  db: Db,
  accountId: string,
  playlistId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await on(db)
    .selectFrom('playlist_videos')
    .select(['video_id', 'place'])
    .where('account_id', '=', accountId)
    .where('playlist_id', '=', playlistId)
    .orderBy('place')
    .execute()
  return new Map(rows.map((row) => [row.video_id, row.place]))
}

export interface PlaylistListing {
  /** The last position of the previous page; undefined for the first page. */
  readonly after: number | undefined
  readonly limit: number
  readonly mediaType: MediaType
  readonly visibleAtMs: number | null
}

/** The videos of a playlist in its order, after a position. */
export async function listPlaylistVideos(
  db: Db,
  accountId: string,
  playlistId: string,
  { after = BEFORE_POSITIONS, limit, mediaType, visibleAtMs }: PlaylistListing,
): Promise<readonly (StoredDocument & { readonly place: number })[]> {
  const query = sql<StoredDocument & { place: number }>`
    select l.place, shown.*
      from playlist_videos l
     cross join lateral (
        select ${shownDocument}, v.${sql.ref(mediaColumn(mediaType))} as "mediaPath" from videos v
         where v.account_id = ${accountId} and v.video_id = l.video_id and ${isVisible(visibleAtMs)} limit 1) as shown
     where l.account_id = ${accountId} and l.playlist_id = ${playlistId} and l.place > ${after}
     order by l.place limit ${pageLimit(limit)}`
  const { rows } = await executeAsBytes(db, query)
  return rows
}

/** The playlist must be locked, and its videos locked against deletion. */
export async function replaceVideos(
  tx: Transaction,
  accountId: string,
  playlistId: string,
  videoIds: readonly string[],
): Promise<void> {
  const positions = positionsFor(videoIds, await readPositions(tx, accountId, playlistId))
  await on(tx)
    .deleteFrom('playlist_videos')
    .where('account_id', '=', accountId)
    .where('playlist_id', '=', playlistId)
    .execute()
  await sql`
    insert into playlist_videos (account_id, playlist_id, place, video_id)
    select ${accountId}, ${playlistId}, place, video_id
      from unnest(${videoIds}::uuid[], ${positions}::integer[]) as given(video_id, place)`.execute(tx)
}

/** The playlists that contain a video, including deleted ones. */
export async function listPlaylistIds(
  db: Db,
  accountId: string,
  videoId: string,
): Promise<readonly string[]> {
  const rows = await on(db)
    .selectFrom('playlist_videos')
    .select('playlist_id')
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .execute()
  return rows.map((row) => row.playlist_id)
}

/** Removes a video from all playlists, which must be locked. Returns their ids. */
export async function removeVideo(
  tx: Transaction,
  accountId: string,
  videoId: string,
): Promise<readonly string[]> {
  const rows = await on(tx)
    .deleteFrom('playlist_videos')
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .returning('playlist_id')
    .execute()
  return rows.map((row) => row.playlist_id)
}
