import { type RawBuilder, sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import { pageLimit } from '../../platform/database/page-limit.ts'
import { titleOrderOf } from './title-order.ts'
import { totalOf } from './total-store.ts'
import { LAST_NUMBER } from './video-document.ts'
import type { ImageDraft } from './video-record.ts'
import { isShown } from './video-store.ts'

/** What an editor says of a series. */
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
  /** Of the videos that the reader may see, as are the seasons. */
  readonly videoCount: number
  readonly seasonCount: number
  /** Counted up by every change, that of the counts included. */
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

/** What is kept counts every video. What some may see changes with time alone, and is counted when it is read. */
const counts = (shownMs: number | null) =>
  shownMs === null
    ? sql`s.video_count as "videoCount", s.season_count as "seasonCount"`
    : sql`seen.videos as "videoCount", seen.seasons as "seasonCount"`

const joinSeen = (accountId: string, shownMs: number | null) =>
  shownMs === null
    ? sql``
    : sql`cross join lateral (
        select count(*) as videos,
               count(distinct v.season_order) filter (where v.season_order < ${LAST_NUMBER}) as seasons
          from videos v
         where v.account_id = ${accountId} and v.series_id = s.series_id and v.deleted_ms is null
           and ${isShown(shownMs)}) as seen`

const isOpen = (shownMs: number | null) => (shownMs === null ? sql`true` : sql`status = 'READY'`)

/** What the list goes by. */
export interface SeriesPlace {
  readonly titleOrder: string
  readonly seriesId: string
}

export interface SeriesListing {
  readonly isDescending: boolean
  /** The last one before those that are wanted; undefined for the beginning. */
  readonly after: SeriesPlace | undefined
  readonly limit: number
  /** Only what everybody may see at this time; null for all. */
  readonly shownMs: number | null
}

export type ListedSeries = Series & SeriesPlace

export interface SeriesList {
  /** By title, whatever its case and accents, then by id. */
  readonly rows: readonly ListedSeries[]
  readonly total: number
}

export async function listSeries(db: Db, accountId: string, listing: SeriesListing): Promise<SeriesList> {
  const { rows } = await selectSeriesList(accountId, listing).execute(db)
  const total = rows[0]?.total ?? 0
  return { rows: rows[0]?.seriesId === null ? [] : (rows as readonly ListedSeries[]), total }
}

/** One statement, so that rows and total are of one moment. It gives a row for the total where it has no other. */
export function selectSeriesList(
  accountId: string,
  { isDescending, after, limit, shownMs }: SeriesListing,
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
       where account_id = ${accountId} and deleted_ms is null and ${isOpen(shownMs)} and ${isAfter}
       order by title_order ${order}, series_id ${order} limit ${pageLimit(limit)}
    )
    select ${totalOf(accountId, shownMs === null ? 'series' : 'series_ready')} as total,
           ${columns}, ${counts(shownMs)}, s.title_order as "titleOrder"
      from (values (1)) as always left join s on true ${joinSeen(accountId, shownMs)}
     order by s.title_order ${order}, s.series_id ${order}`
}

export async function findSeries(
  db: Db,
  accountId: string,
  seriesId: string,
  shownMs: number | null,
): Promise<Series | undefined> {
  const { rows } = await sql<Series>`
    select ${columns}, ${counts(shownMs)} from series s ${joinSeen(accountId, shownMs)}
     where s.account_id = ${accountId} and s.series_id = ${seriesId} and s.deleted_ms is null
       and ${isOpen(shownMs)}`.execute(db)
  return rows[0]
}

/** Whoever adds a video to a series or takes one out locks it too, so that none comes while it is deleted. */
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

/** Of a series that is locked. */
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

/** Of a series that is locked. Its row stays, for deleted videos name it. */
export async function markSeriesDeleted(tx: Transaction, series: Series, nowMs: number): Promise<void> {
  await ofLocked(tx, series)
    .set({ deleted_ms: nowMs, version: series.version + 1, updated_ms: nowMs })
    .execute()
}

/** Counts a video that came to a series that is locked. Nobody said anything else of it, so its date stays. */
export async function countVideoIn(
  tx: Transaction,
  accountId: string,
  seriesId: string,
  isFirstOfSeason: boolean,
): Promise<void> {
  await count(tx, accountId, seriesId, 1, isFirstOfSeason ? 1 : 0)
}

/** The same of a video that left. */
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
  // As text, because the driver would make an array of PostgreSQL's of one of ours.
  images: JSON.stringify(images),
  status,
})
