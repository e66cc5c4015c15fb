import { type RawBuilder, sql } from 'kysely'
import { type Db, executeAsBytes, type Transaction, tables } from '../../platform/database/database.ts'
import { pageLimit } from '../../platform/database/page-limit.ts'
import { BEFORE_PLACES, placesFor } from './playlist-places.ts'
import { type MediaType, mediaColumn } from './video-document.ts'
import { isShown, type StoredDocument } from './video-store.ts'

interface PlaylistVideoRow {
  account_id: string
  playlist_id: string
  place: number
  video_id: string
}

const on = tables<{ playlist_videos: PlaylistVideoRow }>()

/**
 * How many videos of a playlist `p` everybody may see at a time, as
 * `seen.videos` of a statement that reads it.
 *
 * Each is looked up by its id, here and below. PostgreSQL would do something worse where it is
 * wrong about how many there are: without the limit, compare every place with
 * every video; asked for those that are not deleted, which no playlist has,
 * read all of the account through an index that holds no others.
 */
export const joinSeenVideos = (accountId: string, shownMs: number): RawBuilder<unknown> => sql`
  cross join lateral (
    select count(*) as videos
      from playlist_videos l
     cross join lateral (
        select from videos v
         where v.account_id = ${accountId} and v.video_id = l.video_id and ${isShown(shownMs)} limit 1) as shown
     where l.account_id = ${accountId} and l.playlist_id = p.playlist_id) as seen`

/** In their order. */
export async function listVideoIds(
  db: Db,
  accountId: string,
  playlistId: string,
): Promise<readonly string[]> {
  return [...(await readPlaces(db, accountId, playlistId)).keys()]
}

/** The first of a playlist with what they are called, in their order. */
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

/** By video, in their order. */
async function readPlaces(
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
  /** The place before the first that is wanted; undefined for the beginning. */
  readonly after: number | undefined
  readonly limit: number
  readonly mediaType: MediaType
  readonly shownMs: number | null
}

/** The videos of a playlist in its order, from after a place on. */
export async function listPlaylistVideos(
  db: Db,
  accountId: string,
  playlistId: string,
  { after = BEFORE_PLACES, limit, mediaType, shownMs }: PlaylistListing,
): Promise<readonly (StoredDocument & { readonly place: number })[]> {
  const query = sql<StoredDocument & { place: number }>`
    select l.place, shown.*
      from playlist_videos l
     cross join lateral (
        select v.document, v.${sql.ref(mediaColumn(mediaType))} as "mediaPath" from videos v
         where v.account_id = ${accountId} and v.video_id = l.video_id and ${isShown(shownMs)} limit 1) as shown
     where l.account_id = ${accountId} and l.playlist_id = ${playlistId} and l.place > ${after}
     order by l.place limit ${pageLimit(limit)}`
  const { rows } = await executeAsBytes(db, query)
  return rows
}

/** Of a playlist that is locked, and of videos that nobody deletes meanwhile. */
export async function replaceVideos(
  tx: Transaction,
  accountId: string,
  playlistId: string,
  videoIds: readonly string[],
): Promise<void> {
  const places = placesFor(videoIds, await readPlaces(tx, accountId, playlistId))
  await on(tx)
    .deleteFrom('playlist_videos')
    .where('account_id', '=', accountId)
    .where('playlist_id', '=', playlistId)
    .execute()
  await sql`
    insert into playlist_videos (account_id, playlist_id, place, video_id)
    select ${accountId}, ${playlistId}, place, video_id
      from unnest(${videoIds}::uuid[], ${places}::integer[]) as given(video_id, place)`.execute(tx)
}

/** The playlists that a video is in, deleted ones too. */
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

/** Takes a video out of all playlists, which are locked, and tells which had it. */
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
