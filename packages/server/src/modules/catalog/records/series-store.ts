import { type RawBuilder, sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../../platform/database/database.ts'
import { pageLimit } from '../../../platform/database/page-limit.ts'
import { titleOrderOf } from './title-order.ts'
import { totalOf } from './total-store.ts'
import { LAST_NUMBER } from './video-document.ts'
import type { ImageDraft } from './video-record.ts'
import { isVisible } from './video-store.ts'

/** The editable fields of a series. */
export interface SeriesFields {
  readonly title: string
  readonly description: string
  readonly brandId: string | null
  readonly images: readonly ImageDraft[]
  readonly status: 'READY' | 'DISABLED'
}

export interface Series extends SeriesFields {
  readonly accountId: string
  readonly seriesId: string
  /** Videos that the reader may see; `seasonCount` counts their seasons. */
  readonly videoCount: number
  readonly seasonCount: number
  /** Incremented by every change, also of the counts. */
  readonly version: number
  readonly createdMs: number
  readonly updatedMs: number
}

interface SeriesRow {
  account_id: string
  series_id: string
  title: string
  title_order: string
  description: string
  brand_id: string | null
  images: string
  status: SeriesFields['status']
  video_count: number
  season_count: number
  version: number
  created_ms: number
  updated_ms: number
  deleted_ms: number | null
}

const on = tables<{ series: SeriesRow }>()

const columns = sql`
  s.account_id as "accountId", s.series_id as "seriesId", s.title, s.description, s.brand_id as "brandId",
  s.images, s.status, s.version, s.created_ms as "createdMs", s.updated_ms as "updatedMs"`

/** The stored counts are of all videos. Counts of public ones change with time, and are computed at each read. */
const counts = (visibleAtMs: number | null) =>
  visibleAtMs === null
    ? sql`s.video_count as "videoCount", s.season_count as "seasonCount"`
    : sql`seen.videos as "videoCount", seen.seasons as "seasonCount"`

const joinVisible = (accountId: string, visibleAtMs: number | null) =>
  visibleAtMs === null
    ? sql``
    : sql`cross join lateral (
        select count(*) as videos,
               count(distinct v.season_order) filter (where v.season_order < ${LAST_NUMBER}) as seasons
          from videos v
         where v.account_id = ${accountId} and v.series_id = s.series_id and v.deleted_ms is null
           and ${isVisible(visibleAtMs)}) as seen`

const isOpen = (visibleAtMs: number | null) => (visibleAtMs === null ? sql`true` : sql`status = 'READY'`)

/** The sort key of the list. */
export interface SeriesKey {
  readonly titleOrder: string
  readonly seriesId: string
}

export interface SeriesListing {
  readonly isDescending: boolean
  /** The last row of the previous page; undefined for the first page. */
  readonly after: SeriesKey | undefined
  readonly limit: number
  /** Only records that are public at this time; null for all. */
  readonly visibleAtMs: number | null
}

export type ListedSeries = Series & SeriesKey

export interface SeriesList {
  /** Sorted by title, ignoring case and accents, then by id. */
  readonly rows: readonly ListedSeries[]
  readonly total: number
}

export async function listSeries(db: Db, accountId: string, listing: SeriesListing): Promise<SeriesList> {
  const { rows } = await selectSeriesList(accountId, listing).execute(db)
  const total = rows[0]?.total ?? 0
  return { rows: rows[0]?.seriesId === null ? [] : (rows as readonly ListedSeries[]), total }
}

/** One statement, so that rows and total are consistent. It returns one row with the total if the list is empty. */
export function selectSeriesList(
  accountId: string,
  { isDescending, after, limit, visibleAtMs }: SeriesListing,
): RawBuilder<(ListedSeries | { readonly seriesId: null }) & { readonly total: number }> {
  const [order, beyond] = isDescending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`(title_order, series_id) ${beyond} (${after.titleOrder}, ${after.seriesId}::uuid)`
  return sql`
    with s as (
      select account_id, series_id, title, title_order, description, brand_id, images, status,
             video_count, season_count, version, created_ms, updated_ms
        from series
       where account_id = ${accountId} and deleted_ms is null and ${isOpen(visibleAtMs)} and ${isAfter}
       order by title_order ${order}, series_id ${order} limit ${pageLimit(limit)}
    )
    select ${totalOf(accountId, visibleAtMs === null ? 'series' : 'series_ready')} as total,
           ${columns}, ${counts(visibleAtMs)}, s.title_order as "titleOrder"
      from (values (1)) as always left join s on true ${joinVisible(accountId, visibleAtMs)}
     order by s.title_order ${order}, s.series_id ${order}`
}

export async function findSeries(
  db: Db,
  accountId: string,
  seriesId: string,
  visibleAtMs: number | null,
): Promise<Series | undefined> {
  const { rows } = await sql<Series>`
    select ${columns}, ${counts(visibleAtMs)} from series s ${joinVisible(accountId, visibleAtMs)}
     where s.account_id = ${accountId} and s.series_id = ${seriesId} and s.deleted_ms is null
       and ${isOpen(visibleAtMs)}`.execute(db)
  return rows[0]
}

/** Also taken to add or remove a video, so that none is added during a deletion. */
export async function lockSeries(
  tx: Transaction,
  accountId: string,
  seriesId: string,
): Promise<Series | undefined> {
  const { rows } = await sql<Series>`
    select ${columns}, ${counts(null)} from series s
     where account_id = ${accountId} and series_id = ${seriesId} and deleted_ms is null
       for no key update`.execute(tx)
  return rows[0]
}

export async function insertSeries(
  tx: Transaction,
  id: Pick<Series, 'accountId' | 'seriesId'>,
  fields: SeriesFields,
  nowMs: number,
): Promise<Series> {
  const counted = { video_count: 0, season_count: 0, version: 1, created_ms: nowMs, updated_ms: nowMs }
  await on(tx)
    .insertInto('series')
    .values({
      account_id: id.accountId,
      series_id: id.seriesId,
      ...columnsOf(fields),
      ...counted,
      deleted_ms: null,
    })
    .execute()
  return { ...id, ...fields, videoCount: 0, seasonCount: 0, version: 1, createdMs: nowMs, updatedMs: nowMs }
}

/** The series must be locked. */
export async function updateSeries(
  tx: Transaction,
  series: Series,
  changes: Partial<SeriesFields>,
  nowMs: number,
): Promise<Series> {
  const after = { ...series, ...changes, version: series.version + 1, updatedMs: nowMs }
  await ofLocked(tx, series)
    .set({ ...columnsOf(after), version: after.version, updated_ms: nowMs })
    .execute()
  return after
}

/** The series must be locked. Its row stays, because deleted videos reference it. */
export async function markSeriesDeleted(tx: Transaction, series: Series, nowMs: number): Promise<void> {
  await ofLocked(tx, series)
    .set({ deleted_ms: nowMs, version: series.version + 1, updated_ms: nowMs })
    .execute()
}

/** Counts a video into a series, which must be locked. No field was edited, so `updated_ms` stays. */
export async function countVideoIn(
  tx: Transaction,
  accountId: string,
  seriesId: string,
  isFirstOfSeason: boolean,
): Promise<void> {
  await count(tx, accountId, seriesId, 1, isFirstOfSeason ? 1 : 0)
}

/** Counts a video out of a series, which must be locked. */
export async function countVideoOut(
  tx: Transaction,
  accountId: string,
  seriesId: string,
  wasLastOfSeason: boolean,
): Promise<void> {
  await count(tx, accountId, seriesId, -1, wasLastOfSeason ? -1 : 0)
}

async function count(
  tx: Transaction,
  accountId: string,
  seriesId: string,
  videos: number,
  seasons: number,
): Promise<void> {
  await ofLocked(tx, { accountId, seriesId })
    .set(({ eb }) => ({
      video_count: eb('video_count', '+', videos),
      season_count: eb('season_count', '+', seasons),
      version: eb('version', '+', 1),
    }))
    .execute()
}

const ofLocked = (tx: Transaction, { accountId, seriesId }: Pick<Series, 'accountId' | 'seriesId'>) =>
  on(tx).updateTable('series').where('account_id', '=', accountId).where('series_id', '=', seriesId)

const columnsOf = ({ title, description, brandId, images, status }: SeriesFields) => ({
  title,
  title_order: titleOrderOf(title),
  description,
  brand_id: brandId,
  // As text: the driver would convert a JavaScript array to a PostgreSQL array.
  images: JSON.stringify(images),
  status,
})

/** The titles of all series of an account. */
export async function listSeriesTitles(
  db: Db,
  accountId: string,
): Promise<readonly { readonly series_id: string; readonly title: string }[]> {
  const { rows } = await sql<{ readonly series_id: string; readonly title: string }>`
    select series_id, title from series
     where account_id = ${accountId} and deleted_ms is null`.execute(db)
  return rows
}
