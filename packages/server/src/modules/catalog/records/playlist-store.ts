import { type RawBuilder, sql } from 'kysely'
import { isId } from '../../../platform/crypto/ids.ts'
import { type Db, type Transaction, tables } from '../../../platform/database/database.ts'
import { pageLimit } from '../../../platform/database/page-limit.ts'
import type { LockFor } from './lock-for.ts'
import { joinVisibleVideos } from './playlist-video-store.ts'
import { titleOrderOf } from './title-order.ts'
import { totalOf } from './total-store.ts'
import type { ImageDraft } from './video-record.ts'

/** The editable fields of a playlist. */
export interface PlaylistFields {
  readonly title: string
  readonly description: string
  readonly images: readonly ImageDraft[]
  readonly status: 'READY' | 'DISABLED'
}

export interface Playlist extends PlaylistFields {
  readonly accountId: string
  readonly playlistId: string
  /** The number of videos that the reader may see. */
  readonly videoCount: number
  /** Incremented by every change, also of its videos. */
  readonly version: number
  readonly createdMs: number
  readonly updatedMs: number
}

interface PlaylistRow {
  account_id: string
  playlist_id: string
  title: string
  title_order: string
  description: string
  images: string
  status: PlaylistFields['status']
  video_count: number
  version: number
  created_ms: number
  updated_ms: number
  deleted_ms: number | null
}

const on = tables<{ playlists: PlaylistRow }>()

const columns = sql`
  p.account_id as "accountId", p.playlist_id as "playlistId", p.title, p.description, p.images, p.status,
  p.version, p.created_ms as "createdMs", p.updated_ms as "updatedMs"`

/** The stored count is of all videos. The count of public ones changes with time, and is computed at each read. */
const counts = (visibleAtMs: number | null) =>
  visibleAtMs === null ? sql`p.video_count as "videoCount"` : sql`seen.videos as "videoCount"`

const joinVisible = (accountId: string, visibleAtMs: number | null) =>
  visibleAtMs === null ? sql`` : joinVisibleVideos(accountId, visibleAtMs)

const isOpen = (visibleAtMs: number | null) => (visibleAtMs === null ? sql`true` : sql`status = 'READY'`)

/** The sort key of the list. */
export interface PlaylistKey {
  readonly titleOrder: string
  readonly playlistId: string
}

export interface PlaylistListing {
  /** The last row of the previous page; undefined for the first page. */
  readonly after: PlaylistKey | undefined
  readonly limit: number
  /** Only records that are public at this time; null for all. */
  readonly visibleAtMs: number | null
}

export type ListedPlaylist = Playlist & PlaylistKey

export interface PlaylistList {
  /** Sorted by title, ignoring case and accents, then by id. */
  readonly rows: readonly ListedPlaylist[]
  readonly total: number
}

export async function listPlaylists(
  db: Db,
  accountId: string,
  listing: PlaylistListing,
): Promise<PlaylistList> {
  const { rows } = await selectPlaylistList(accountId, listing).execute(db)
  const total = rows[0]?.total ?? 0
  return { rows: rows[0]?.playlistId === null ? [] : (rows as readonly ListedPlaylist[]), total }
}

/** One statement, so that rows and total are consistent. It returns one row with the total if the list is empty. */
export function selectPlaylistList(
  accountId: string,
  { after, limit, visibleAtMs }: PlaylistListing,
): RawBuilder<(ListedPlaylist | { readonly playlistId: null }) & { readonly total: number }> {
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`(title_order, playlist_id) > (${after.titleOrder}, ${after.playlistId}::uuid)`
  return sql`
    with p as (
      select account_id, playlist_id, title, title_order, description, images, status,
             video_count, version, created_ms, updated_ms
        from playlists
       where account_id = ${accountId} and deleted_ms is null and ${isOpen(visibleAtMs)} and ${isAfter}
       order by title_order, playlist_id limit ${pageLimit(limit)}
    )
    select ${totalOf(accountId, visibleAtMs === null ? 'playlist' : 'playlist_ready')} as total,
           ${columns}, ${counts(visibleAtMs)}, p.title_order as "titleOrder"
      from (values (1)) as always left join p on true ${joinVisible(accountId, visibleAtMs)}
     order by p.title_order, p.playlist_id`
}

export async function findPlaylist(
  db: Db,
  accountId: string,
  playlistId: string,
  visibleAtMs: number | null,
): Promise<Playlist | undefined> {
  const { rows } = await sql<Playlist>`
    select ${columns}, ${counts(visibleAtMs)} from playlists p ${joinVisible(accountId, visibleAtMs)}
     where p.account_id = ${accountId} and p.playlist_id = ${playlistId} and p.deleted_ms is null
       and ${isOpen(visibleAtMs)}`.execute(db)
  return rows[0]
}

/** Videos, if any, must be locked first: a deletion locks the video before its playlists. */
export async function lockPlaylist(
  tx: Transaction,
  accountId: string,
  playlistId: string,
  lockFor: LockFor,
): Promise<Playlist | undefined> {
  const { rows } = await sql<Playlist>`
    select ${columns}, ${counts(null)} from playlists p
     where account_id = ${accountId} and playlist_id = ${playlistId} and deleted_ms is null
       for ${lockFor === 'delete' ? sql`update` : sql`no key update`}`.execute(tx)
  return rows[0]
}

/** Whether the playlist exists; locks it against deletion until the transaction ends. */
export async function lockNamedPlaylist(
  tx: Transaction,
  accountId: string,
  playlistId: string,
): Promise<boolean> {
  const row = await on(tx)
    .selectFrom('playlists')
    .select('playlist_id')
    .where('account_id', '=', accountId)
    .where('playlist_id', '=', playlistId)
    .where('deleted_ms', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function insertPlaylist(
  tx: Transaction,
  id: Pick<Playlist, 'accountId' | 'playlistId'>,
  fields: PlaylistFields,
  nowMs: number,
): Promise<Playlist> {
  const counted = { video_count: 0, version: 1, created_ms: nowMs, updated_ms: nowMs }
  await on(tx)
    .insertInto('playlists')
    .values({
      account_id: id.accountId,
      playlist_id: id.playlistId,
      ...columnsOf(fields),
      ...counted,
      deleted_ms: null,
    })
    .execute()
  return { ...id, ...fields, videoCount: 0, version: 1, createdMs: nowMs, updatedMs: nowMs }
}

/** The playlist must be locked. */
export async function updatePlaylist(
  tx: Transaction,
  playlist: Playlist,
  changes: Partial<PlaylistFields & Pick<Playlist, 'videoCount'>>,
  nowMs: number,
): Promise<Playlist> {
  const after = { ...playlist, ...changes, version: playlist.version + 1, updatedMs: nowMs }
  const counted = { video_count: after.videoCount, version: after.version, updated_ms: nowMs }
  await ofLocked(tx, playlist)
    .set({ ...columnsOf(after), ...counted })
    .execute()
  return after
}

/** The playlist must be locked. Its row stays, because deleted channels reference it. */
export async function markPlaylistDeleted(tx: Transaction, playlist: Playlist, nowMs: number): Promise<void> {
  await ofLocked(tx, playlist)
    .set({ deleted_ms: nowMs, version: playlist.version + 1, updated_ms: nowMs })
    .execute()
}

/** Ordered by id, to avoid deadlocks. */
export async function lockPlaylists(
  tx: Transaction,
  accountId: string,
  playlistIds: readonly string[],
): Promise<void> {
  await on(tx)
    .selectFrom('playlists')
    .select('playlist_id')
    .where('account_id', '=', accountId)
    .where(isOneOf(playlistIds))
    .orderBy('playlist_id')
    .forNoKeyUpdate()
    .execute()
}

/** Counts a video out of these playlists, which must be locked. */
export async function countVideoOutOf(
  tx: Transaction,
  accountId: string,
  playlistIds: readonly string[],
  nowMs: number,
): Promise<void> {
  await on(tx)
    .updateTable('playlists')
    .set(({ eb }) => ({
      video_count: eb('video_count', '-', 1),
      version: eb('version', '+', 1),
      updated_ms: nowMs,
    }))
    .where('account_id', '=', accountId)
    .where(isOneOf(playlistIds))
    .execute()
}

const isOneOf = (playlistIds: readonly string[]) => sql<boolean>`playlist_id = any(${playlistIds}::uuid[])`

const ofLocked = (tx: Transaction, { accountId, playlistId }: Playlist) =>
  on(tx).updateTable('playlists').where('account_id', '=', accountId).where('playlist_id', '=', playlistId)

const columnsOf = ({ title, description, images, status }: PlaylistFields) => ({
  title,
  title_order: titleOrderOf(title),
  description,
  // As text: the driver would convert a JavaScript array to a PostgreSQL array.
  images: JSON.stringify(images),
  status,
})

/** Which of these playlists exist. */
export async function listPresentPlaylists(
  db: Db,
  accountId: string,
  playlistIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ readonly playlistId: string }>`
    select playlist_id as "playlistId" from playlists
     where account_id = ${accountId} and playlist_id = any(${playlistIds.filter(isId)}::uuid[])
       and deleted_ms is null`.execute(db)
  return new Set(rows.map(({ playlistId }) => playlistId))
}
