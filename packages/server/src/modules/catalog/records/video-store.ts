import { type RawBuilder, sql } from 'kysely'
import {
  type Db,
  executeAsBytes,
  type Transaction,
  tables,
  textOfBytes,
} from '../../../platform/database/database.ts'
import { isBroken } from '../../../platform/database/database-errors.ts'
import { pageLimit } from '../../../platform/database/page-limit.ts'
import type { TierKey } from './tier-store.ts'
import { totalOf } from './total-store.ts'
import { columnsOf, cuesOf, type MediaType, mediaColumn, NO_CUES, recordOf } from './video-document.ts'
import type { VideoMedia, VideoRecord } from './video-record.ts'
import { beforeFirst, type SortKey, sortTypes, type VideoSort } from './video-sort.ts'

type VideoColumns = ReturnType<typeof columnsOf>

interface VideoRow extends VideoColumns {
  account_id: string
  video_id: string
  version: number
  deleted_ms: number | null
}

const on = tables<{ videos: VideoRow }>()

/** A video for writes. */
export interface Video extends VideoMedia {
  readonly accountId: string
  readonly videoId: string
  readonly version: number
  readonly record: VideoRecord
}

/** A video as it is returned, with one type of media. Both are bytes, as `executeAsBytes` reads them. */
export interface StoredDocument {
  readonly document: string
  readonly mediaPath: string | null
}

/** The document with its cue points, from videos `v`. */
export const shownDocument = sql`v.document || ',' || coalesce(v.cue_points, ${sql.lit(NO_CUES)}) as document`

/** Which videos an anonymous session may see at a time; all of them if that is null. */
export const isVisible = (visibleAtMs: number | null, video = sql.ref('v')): RawBuilder<boolean> =>
  visibleAtMs === null
    ? sql`true`
    : sql`(${video}.status = 'READY' and ${video}.available_ms <= ${visibleAtMs} and ${video}.expired_ms > ${visibleAtMs})`

export async function findVideoDocument(
  db: Db,
  accountId: string,
  videoId: string,
  { mediaType, visibleAtMs }: { readonly mediaType: MediaType; readonly visibleAtMs: number | null },
): Promise<(StoredDocument & { readonly version: number }) | undefined> {
  const query = sql<StoredDocument & { version: number }>`
    select ${shownDocument}, ${sql.ref(mediaColumn(mediaType))} as "mediaPath", version from videos v
     where account_id = ${accountId} and video_id = ${videoId} and deleted_ms is null and ${isVisible(visibleAtMs)}`
  const { rows } = await executeAsBytes(db, query)
  return rows[0]
}

/** Which videos are listed, in what order, after which key, and how many. */
export interface VideoListing {
  readonly sort: VideoSort
  /** The key of the last row of the previous page; undefined for the first page. */
  readonly after: SortKey | undefined
  readonly limit: number
  readonly mediaType: MediaType
  readonly visibleAtMs: number | null
  /** Only videos of this series, and of those only this episode number. */
  readonly seriesId?: string | undefined
  readonly episode?: number | undefined
  /** The total, if it is known. */
  readonly storedTotal?: number | undefined
}

export interface ListedVideo extends StoredDocument {
  readonly key: SortKey
}

/** Rows with the values of their sort's columns as `key0` and so on. */
export type KeyedRow = StoredDocument & Readonly<Record<`key${number}`, string | number>>

/**
 * A page, with the total in the same statement, so that both are consistent. If all
 * rows are visible, the total is the stored one; otherwise rows are counted, up to
 * one more than the largest total that is returned.
 */
export async function listVideos(
  db: Db,
  accountId: string,
  listing: VideoListing,
): Promise<{ readonly rows: readonly ListedVideo[]; readonly total: number }> {
  const { rows } = await executeAsBytes(db, selectVideoPage(accountId, listing))
  const total = rows[0]?.total ?? 0
  const listed = rows[0]?.document === null ? [] : rows
  return { rows: listed.map((row) => listedVideo(row, listing.sort)), total }
}

export function listedVideo(row: KeyedRow, { columns }: VideoSort): ListedVideo {
  const key = columns.map((column, i) => {
    const value = row[`key${i}`]!
    return column === 'title_order' ? textOfBytes(`${value}`) : value
  })
  return { document: row.document, mediaPath: row.mediaPath, key }
}

export const selectVideoPage = (accountId: string, listing: VideoListing) =>
  sql<KeyedRow & { readonly total: number }>`
    with listed as (${selectVideos(accountId, listing, isListed(listing))})
    select ${selectTotal(accountId, listing)} as total, listed.*
      from (values (1)) as always left join listed on true`

/** Videos of an account that satisfy a condition, sorted, after a key. */
export function selectVideos(
  accountId: string,
  listing: Pick<VideoListing, 'sort' | 'after' | 'limit' | 'mediaType'>,
  condition: RawBuilder<boolean>,
): RawBuilder<KeyedRow> {
  const { sort, after = beforeFirst(sort), limit, mediaType } = listing
  return sql`
    select ${keysOf(sort)}, ${shownDocument}, v.${sql.ref(mediaColumn(mediaType))} as "mediaPath"
      from videos v
     where v.account_id = ${accountId} and v.deleted_ms is null and ${isAfter(sort, after)} and ${condition}
     order by ${inOrder(sort)} limit ${pageLimit(limit)}`
}

export const keysOf = ({ columns }: VideoSort) =>
  sql.join(columns.map((column, i) => sql`v.${sql.ref(column)} as ${sql.ref(`key${i}`)}`))

export const inOrder = ({ columns, isDescending }: VideoSort) =>
  sql.join(columns.map((column) => sql`v.${sql.ref(column)} ${sql.raw(isDescending ? 'desc' : 'asc')}`))

/** One row comparison: PostgreSQL cannot use the index for the same condition with `or`. */
export const isAfter = ({ columns, isDescending }: VideoSort, key: SortKey): RawBuilder<boolean> => sql`
  (${sql.join(columns.map((column) => sql`v.${sql.ref(column)}`))})
    ${sql.raw(isDescending ? '<' : '>')}
  (${sql.join(columns.map((column, i) => sql`${key[i]}::${sql.raw(sortTypes[column])}`))})`

const isListed = ({ seriesId, episode, visibleAtMs }: VideoListing): RawBuilder<boolean> =>
  sql`${isVisible(visibleAtMs)}
    ${seriesId === undefined ? sql`` : sql`and v.series_id = ${seriesId}`}
    ${episode === undefined ? sql`` : sql`and v.episode_order = ${episode}`}`

/** One more than the largest total that is returned. */
export const COUNTED_MAXIMUM = 10_001

function selectTotal(accountId: string, listing: VideoListing): RawBuilder<number> {
  const { seriesId, visibleAtMs, storedTotal } = listing
  if (storedTotal !== undefined) return sql`${storedTotal}::integer`
  if (seriesId === undefined && visibleAtMs === null) return totalOf(accountId, 'video')
  const counted = countVideos(accountId, isListed(listing))
  if (seriesId !== undefined) return counted
  // The number of always visible videos is stored. If it exceeds the maximum, nothing is counted.
  const open = totalOf(accountId, 'video_open')
  return sql`case when ${open} >= ${sql.raw(`${COUNTED_MAXIMUM}`)} then ${sql.raw(`${COUNTED_MAXIMUM}`)} else ${counted} end`
}

export const countVideos = (accountId: string, condition: RawBuilder<boolean>): RawBuilder<number> => sql`
  (select count(*) from (
    select from videos v
     where v.account_id = ${accountId} and v.deleted_ms is null and ${condition}
     limit ${sql.raw(`${COUNTED_MAXIMUM}`)}) as counted)`

const written = [
  'account_id',
  'video_id',
  'version',
  'document',
  'cue_points',
  'hls_path',
  'mp4_path',
] as const

export async function lockVideo(
  tx: Transaction,
  accountId: string,
  videoId: string,
): Promise<Video | undefined> {
  const row = await on(tx)
    .selectFrom('videos')
    .select(written)
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .where('deleted_ms', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row && videoOf(row)
}

/** What editors gave; null for a deleted video too. */
export async function findGivenCues(
  db: Db,
  accountId: string,
  videoId: string,
): Promise<readonly number[] | null> {
  const row = await on(db)
    .selectFrom('videos')
    .select('cue_points')
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return row === undefined ? null : cuesOf(row.cue_points).cue_points_ms
}

/** A video by the partner's id. */
export async function findVideoIdBySource(
  db: Db,
  accountId: string,
  sourceId: string,
  videoSourceId: string,
): Promise<string | undefined> {
  const row = await on(db)
    .selectFrom('videos')
    .select('video_id')
    .where('account_id', '=', accountId)
    .where('video_source_id', '=', videoSourceId)
    .where('source_id', '=', sourceId)
    .where('deleted_ms', 'is', null)
    .executeTakeFirst()
  return row?.video_id
}

/** Undefined if the partner has a video with this id already. */
export async function insertVideo(
  tx: Transaction,
  accountId: string,
  record: VideoRecord,
  media: VideoMedia,
): Promise<Video | undefined> {
  const row = await on(tx)
    .insertInto('videos')
    .values({
      account_id: accountId,
      video_id: record.video_id,
      version: 1,
      deleted_ms: null,
      ...columnsOf(record, media),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'video_source_id', 'source_id'])
        .where('deleted_ms', 'is', null)
        .doNothing(),
    )
    .returning(written)
    .executeTakeFirst()
  return row && videoOf(row)
}

/** The video must be locked. Undefined if another video has its new partner id: then the transaction has failed. */
export async function updateVideo(
  tx: Transaction,
  { accountId, videoId, version }: Video,
  record: VideoRecord,
  media: VideoMedia,
): Promise<Video | undefined> {
  const updated = on(tx)
    .updateTable('videos')
    .set({ ...columnsOf(record, media), version: version + 1 })
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .returning(written)
    .executeTakeFirstOrThrow()
  return updated.then(videoOf, (error: unknown) => {
    if (isBroken(error, 'videos_by_source')) return undefined
    throw error
  })
}

/** The video must be locked. Its row stays, because as-run records reference it. */
export async function markVideoDeleted(
  tx: Transaction,
  { accountId, videoId, version }: Video,
  nowMs: number,
): Promise<void> {
  await on(tx)
    .updateTable('videos')
    .set({ deleted_ms: nowMs, updated_ms: nowMs, version: version + 1 })
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .execute()
}

/** Sorted by id, after an id. */
export async function listSeriesVideoIds(
  db: Db,
  accountId: string,
  seriesId: string,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await on(db)
    .selectFrom('videos')
    .select('video_id')
    .where('account_id', '=', accountId)
    .where('series_id', '=', seriesId)
    .where('video_id', '>', after)
    .where('deleted_ms', 'is', null)
    .orderBy('video_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.video_id)
}

/** The newest of an account's videos, except one. */
export async function findNewestKey(
  db: Db,
  accountId: string,
  exceptId: string,
): Promise<TierKey | undefined> {
  return keys(db, accountId)
    .where('video_id', '!=', exceptId)
    .orderBy('published_ms', 'desc')
    .orderBy('video_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** From one key (inclusive) to another (exclusive). */
export async function listKeysBetween(
  db: Db,
  accountId: string,
  from: TierKey,
  to: TierKey,
  limit: number,
): Promise<readonly TierKey[]> {
  return keysBetween(db, accountId, from, to).limit(limit).execute()
}

export async function findKeyAt(
  db: Db,
  accountId: string,
  from: TierKey,
  to: TierKey,
  offset: number,
): Promise<TierKey | undefined> {
  return keysBetween(db, accountId, from, to).offset(offset).limit(1).executeTakeFirst()
}

export async function countKeysBetween(
  db: Db,
  accountId: string,
  from: TierKey,
  to: TierKey,
): Promise<number> {
  const { count } = await between(keys(db, accountId), from, to)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const keys = (db: Db, accountId: string) =>
  on(db)
    .selectFrom('videos')
    .select(['published_ms as publishedMs', 'video_id as videoId'])
    .where('account_id', '=', accountId)
    .where('deleted_ms', 'is', null)

const keysBetween = (db: Db, accountId: string, from: TierKey, to: TierKey) =>
  between(keys(db, accountId), from, to).orderBy('published_ms').orderBy('video_id')

const between = (query: ReturnType<typeof keys>, from: TierKey, to: TierKey) =>
  query
    .where(sql<boolean>`(published_ms, video_id) >= (${from.publishedMs}::bigint, ${from.videoId}::uuid)`)
    .where(sql<boolean>`(published_ms, video_id) < (${to.publishedMs}::bigint, ${to.videoId}::uuid)`)

/** Whether a season of a series has a video other than this one. */
export async function hasOtherOfSeason(
  tx: Transaction,
  accountId: string,
  seriesId: string,
  seasonOrder: number,
  videoId: string,
): Promise<boolean> {
  const row = await on(tx)
    .selectFrom('videos')
    .select('video_id')
    .where('account_id', '=', accountId)
    .where('series_id', '=', seriesId)
    .where('season_order', '=', seasonOrder)
    .where('video_id', '!=', videoId)
    .where('deleted_ms', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const videoOf = (row: Pick<VideoRow, (typeof written)[number]>): Video => ({
  accountId: row.account_id,
  videoId: row.video_id,
  version: row.version,
  record: { ...recordOf(row.document), ...cuesOf(row.cue_points) },
  hlsPath: row.hls_path,
  mp4Path: row.mp4_path,
})
