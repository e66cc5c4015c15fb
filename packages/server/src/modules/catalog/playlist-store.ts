import { type RawBuilder, sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import { pageLimit } from '../../platform/database/page-limit.ts'
import type { LockFor } from './lock-for.ts'
import { joinSeenVideos } from './playlist-video-store.ts'
import { titleOrderOf } from './title-order.ts'
import { totalOf } from './total-store.ts'
import type { ImageDraft } from './video-record.ts'

/** What an editor says of a playlist. */
export interface PlaylistFields {
  readonly title: string
  readonly description: string
  readonly images: readonly ImageDraft[]
  readonly status: 'READY' | 'DISABLED'
}

export interface Playlist extends PlaylistFields {
  readonly accountId: string
  readonly playlistId: string
  /** Of the videos that the reader may see. */
  readonly videoCount: number
  /** Counted up by every change, that of its videos included. */
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

/** What is kept counts every video. What some may see changes with time alone, and is counted when it is read. */
const counts = (shownMs: number | null) =>
  shownMs === null ? sql`p.video_count as "videoCount"` : sql`seen.videos as "videoCount"`

const joinSeen = (accountId: string, shownMs: number | null) =>
  shownMs === null ? sql`` : joinSeenVideos(accountId, shownMs)

const isOpen = (shownMs: number | null) => (shownMs === null ? sql`true` : sql`status = 'READY'`)

/** What the list goes by. */
export interface PlaylistPlace {
  readonly titleOrder: string
  readonly playlistId: string
}

export interface PlaylistListing {
  /** The last one before those that are wanted; undefined for the beginning. */
  readonly after: PlaylistPlace | undefined
  readonly limit: number
  /** Only what everybody may see at this time; null for all. */
  readonly shownMs: number | null
}

export type ListedPlaylist = Playlist & PlaylistPlace

export interface PlaylistList {
  /** By title, whatever its case and accents, then by id. */
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

/** One statement, so that rows and total are of one moment. It gives a row for the total where it has no other. */
export function selectPlaylistList(
  accountId: string,
  { after, limit, shownMs }: PlaylistListing,
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
       where account_id = ${accountId} and deleted_ms is null and ${isOpen(shownMs)} and ${isAfter}
       order by title_order, playlist_id limit ${pageLimit(limit)}
    )
    select ${totalOf(accountId, shownMs === null ? 'playlist' : 'playlist_ready')} as total,
           ${columns}, ${counts(shownMs)}, p.title_order as "titleOrder"
      from (values (1)) as always left join p on true ${joinSeen(accountId, shownMs)}
     order by p.title_order, p.playlist_id`
}

export async function findPlaylist(
  db: Db,
  accountId: string,
  playlistId: string,
  shownMs: number | null,
): Promise<Playlist | undefined> {
  const { rows } = await sql<Playlist>`
    select ${columns}, ${counts(shownMs)} from playlists p ${joinSeen(accountId, shownMs)}
     where p.account_id = ${accountId} and p.playlist_id = ${playlistId} and p.deleted_ms is null
       and ${isOpen(shownMs)}`.execute(db)
  return rows[0]
}

/** Whoever locks videos too locks them first: a video that is deleted is, before it leaves its playlists. */
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

/** Whether there is such a playlist, which then nobody deletes before the transaction ends. */
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

/** Of a playlist that is locked. */
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

/** Of a playlist that is locked. Its row stays, for channels that were deleted name it. */
export async function markPlaylistDeleted(tx: Transaction, playlist: Playlist, nowMs: number): Promise<void> {
  await ofLocked(tx, playlist)
    .set({ deleted_ms: nowMs, version: playlist.version + 1, updated_ms: nowMs })
    .execute()
}

/** By id, so that two who lock several never wait for each other. */
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

/** A video has left these, which are locked. */
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
  // As text, because the driver would make an array of PostgreSQL's of one of ours.
  images: JSON.stringify(images),
  status,
})
