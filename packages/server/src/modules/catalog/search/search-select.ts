import { type RawBuilder, sql } from 'kysely'
import { type Db, executeAsBytes } from '../../../platform/database/database.ts'
import { pageLimit } from '../../../platform/database/page-limit.ts'
import { HIGHEST_KEY, selectBatches, type TierKey } from '../records/tier-store.ts'
import { type MediaType, mediaColumn } from '../records/video-document.ts'
import { type SortKey, type VideoSort, videoSort } from '../records/video-sort.ts'
import {
  COUNTED_MAXIMUM,
  countVideos,
  inOrder,
  isAfter,
  isVisible,
  type KeyedRow,
  keysOf,
  type ListedVideo,
  listedVideo,
  selectVideos,
  shownDocument,
} from '../records/video-store.ts'
import { NO_BOUNDS, type RowBounds } from '../search-index/row-bounds.ts'

/** The PostgreSQL text queries of a search. */
export interface TextQueries {
  /** Matched against the index. */
  readonly terms: string
  /** Matched against the words, if the index alone is not exact. */
  readonly exact: string | null
  /** The complete query, matched against the words of a single video. */
  readonly whole: string | null
  /** The query for the rank; null if all matches rank equally. */
  readonly rank: string | null
  /** The weights of the description, the series title, the keywords and the title. */
  readonly weights: readonly number[]
  /** Matches videos whose title equals the query. */
  readonly title: string | null
}

export interface Search {
  readonly accountId: string
  readonly mediaType: MediaType
  readonly visibleAtMs: number | null
  readonly limit: number
  readonly bounds: RowBounds | null
  /** The part of the filter that neither the index nor bounds cover, on the row of a video `v`. */
  readonly condition: RawBuilder<boolean> | null
  /** The whole filter. */
  readonly filter: RawBuilder<boolean> | null
}

/** Only this many of the newest matches are ranked. */
const RANKED_MOST = 1_000

/** The sort key of a page by relevance. */
export interface RankedKey {
  readonly rank: number
  readonly publishedMs: number
  readonly videoId: string
}

export interface RankedPage {
  readonly rows: readonly (ListedVideo & RankedKey)[]
  /** At most one more than the largest total that is returned. */
  readonly total: number
  /** The oldest match that is ranked; undefined if all are. */
  readonly bound: TierKey | undefined
}

/**
 * The best matches first, the newest first among equals.
 *
 * The next pages rank the same matches, from the `bound` of the first page on, so that
 * a video that is added meanwhile displaces no other.
 */
export async function searchRanked(
  db: Db,
  search: Search,
  text: TextQueries,
  from: { readonly after: RankedKey | undefined; readonly bound: TierKey | undefined },
): Promise<RankedPage> {
  const { rows } = await executeAsBytes(db, selectRanked(search, text, from))
  const [first] = rows
  const bound =
    first === undefined || first.boundMs === null || first.boundId === null
      ? undefined
      : { publishedMs: first.boundMs, videoId: first.boundId }
  return {
    rows: rows.flatMap((row) => (row.videoId === null ? [] : [rankedVideo(row)])),
    total: first?.total ?? 0,
    bound: from.bound ?? bound,
  }
}

const rankedVideo = ({ document, mediaPath, rank, publishedMs, videoId }: RankedRow) => ({
  document,
  mediaPath,
  key: [],
  rank,
  publishedMs,
  videoId,
})

interface RankedRow extends RankedKey {
  readonly document: string
  readonly mediaPath: string | null
  readonly total: number
  readonly boundMs: number | null
  readonly boundId: string | null
}

export function selectRanked(
  search: Search,
  { terms, exact, rank, weights, title }: TextQueries,
  { after, bound }: { readonly after: RankedKey | undefined; readonly bound: TierKey | undefined },
) {
  const { accountId, mediaType, limit } = search
  const isRanked =
    bound === undefined
      ? sql`true order by published_ms desc, video_id desc limit ${sql.raw(after === undefined ? `${RANKED_MOST}` : 'all')}`
      : sql`(published_ms, video_id) >= (${bound.publishedMs}::bigint, ${bound.videoId}::uuid)`
  // The first page needs only the matches that are ranked; the next pages find all, which also counts them.
  const most = after === undefined ? mostNeeded(search, RANKED_MOST) : COUNTED_MAXIMUM
  const isAfterKey =
    after === undefined
      ? sql`true`
      : sql`(rank, published_ms, video_id) < (${after.rank}::integer, ${after.publishedMs}::bigint, ${after.videoId}::uuid)`
  return sql<RankedRow>`
    with found as materialized (${selectFound(search, { terms, exact }, most)}),
    counted as (select ${countFound(search, { terms, exact }, most)} as total),
    newest as (select video_id, published_ms from found where ${isRanked}),
    ranked as (
      select s.video_id, s.published_ms,
             ((ts_rank(${weights}::float4[], s.words, ${rank}::tsquery)
               + ts_rank(${weights}::float4[], s.words, ${eachRank(rank)}::tsquery)) * 1000000)::integer
               + case when s.words @@ ${title}::tsquery then 10000000 else 0 end as rank
        from newest n join video_search s on s.account_id = ${accountId} and s.video_id = n.video_id
    ),
    best as (
      select rank, published_ms, video_id from ranked where ${isAfterKey}
       order by rank desc, published_ms desc, video_id desc limit ${pageLimit(limit)}
    ),
    oldest as (
      select published_ms, video_id from newest
       where (select total from counted) > (select count(*) from newest)
       order by published_ms, video_id limit 1
    )
    select (select total from counted) as total,
           (select published_ms from oldest) as "boundMs", (select video_id from oldest) as "boundId",
           best.rank, best.published_ms as "publishedMs", best.video_id as "videoId",
           ${shownDocument}, v.${sql.ref(mediaColumn(mediaType))} as "mediaPath"
      from (values (1)) as always
      left join best on true
      left join videos v on v.account_id = ${accountId} and v.video_id = best.video_id
     order by best.rank desc, best.published_ms desc, best.video_id desc`
}

/**
 * For `&`, ts_rank weighs the proximity of words far more than their fields; for `|`,
 * only the fields. The sum of both ranks as users expect. Words contain no operators,
 * so the replacement is safe.
 */
const eachRank = (rank: string | null) => rank?.replaceAll(' & ', ' | ') ?? null

type IndexQueries = Pick<TextQueries, 'terms' | 'exact'>

/**
 * Up to `most` matches, the newest first, before a key. Batches of tiers are searched
 * until there are enough.
 */
function selectFound(
  { accountId, visibleAtMs, bounds, condition }: Search,
  { terms, exact }: IndexQueries,
  most: number,
  before: TierKey = HIGHEST_KEY,
): RawBuilder<unknown> {
  // Not a join: a hash join would search all tiers before it returns the first match.
  const isFiltered =
    condition === null
      ? sql``
      : sql`where (select ${condition} from videos v where v.account_id = ${accountId} and v.video_id = m.video_id)`
  const { publishedMs, duration } = bounds ?? NO_BOUNDS
  return sql`
    select m.video_id, m.published_ms
      from (${selectBatches(accountId, publishedMs, before)}) as b
     cross join lateral match_videos(b.tiers, b.from_ms, b.from_id, b.to_ms, b.to_id, ${terms},
       ${exact}::tsquery, ${visibleAtMs}::bigint, ${publishedMs.least}::bigint, ${publishedMs.most}::bigint,
       ${duration.least}::bigint, ${duration.most}::bigint, ${condition === null ? most : null}::integer) as m
     ${isFiltered}
     limit ${sql.raw(`${most}`)}`
}

/** `condition` is checked for matches of the index, so all of them are found to count them. */
const mostNeeded = ({ condition }: Search, most: number) => (condition === null ? most : COUNTED_MAXIMUM)

/** The total, at most `COUNTED_MAXIMUM`, if `found` has at most `most` rows. */
function countFound(search: Search, text: IndexQueries, most: number): RawBuilder<number> {
  if (most === COUNTED_MAXIMUM) return sql`(select count(*) from found)`
  return sql`(select case when count(*) < ${sql.raw(`${most}`)} then count(*) else ${countIndexed(search, text)} end
                from found)`
}

function countIndexed({ visibleAtMs, bounds }: Search, { terms, exact }: IndexQueries): RawBuilder<number> {
  const { publishedMs, duration } = bounds ?? NO_BOUNDS
  const isIndexOnly = exact === null && visibleAtMs === null && bounds === null
  return sql`count_videos(${isIndexOnly}::boolean, ${terms}, ${exact}::tsquery, ${visibleAtMs}::bigint, ${publishedMs.least}::bigint,
    ${publishedMs.most}::bigint, ${duration.least}::bigint, ${duration.most}::bigint, ${COUNTED_MAXIMUM - 1}::integer)`
}

export interface SortedPage {
  readonly rows: readonly ListedVideo[]
  readonly total: number
}

/** Matches of the index, sorted by a field. No rows if there are too many to sort: then `walkMatches` is used. */
export async function searchSorted(
  db: Db,
  search: Search,
  text: IndexQueries,
  sort: VideoSort,
  after: SortKey | undefined,
): Promise<SortedPage> {
  const { accountId, mediaType, limit } = search
  const isOnPage = after === undefined ? sql`true` : isAfter(sort, after)
  const query = sql<(KeyedRow | NoRow) & { total: number }>`
    with found as materialized (${selectFound(search, text, COUNTED_MAXIMUM)}),
    sorted as (
      select ${keysOf(sort)}, ${shownDocument}, v.${sql.ref(mediaColumn(mediaType))} as "mediaPath",
             row_number() over (order by ${inOrder(sort)}) as ordinal
        from found f join videos v on v.account_id = ${accountId} and v.video_id = f.video_id
       where (select count(*) from found) < ${sql.raw(`${COUNTED_MAXIMUM}`)} and ${isOnPage}
       order by ${inOrder(sort)} limit ${pageLimit(limit)}
    )
    select (select count(*) from found) as total, sorted.*
      from (values (1)) as always left join sorted on true order by ordinal`
  const { rows } = await executeAsBytes(db, query)
  return pageOf(rows, sort)
}

/** The order in which the index finds matches. */
export const newestFirst = videoSort('date_published', 'DESC')
export const isNewestFirst = ({ columns, isDescending }: VideoSort) =>
  isDescending && columns[0] === 'published_ms'

/** Matches of the index, the newest first. */
export async function searchNewest(
  db: Db,
  search: Search,
  text: IndexQueries,
  after: SortKey | undefined,
): Promise<SortedPage> {
  const { accountId, mediaType, limit } = search
  const before =
    after === undefined ? HIGHEST_KEY : { publishedMs: Number(after[0]), videoId: String(after[1]) }
  const query = sql<(KeyedRow | NoRow) & { total: number }>`
    with found as materialized (${selectFound(search, text, limit, before)})
    select ${after === undefined ? countFound(search, text, limit) : countIndexed(search, text)} as total,
           ${keysOf(newestFirst)}, ${shownDocument}, v.${sql.ref(mediaColumn(mediaType))} as "mediaPath"
      from (values (1)) as always
      left join found f on true
      left join videos v on v.account_id = ${accountId} and v.video_id = f.video_id
     order by ${inOrder(newestFirst)}`
  const { rows } = await executeAsBytes(db, query)
  return pageOf(rows, newestFirst)
}

/** The total, at most `COUNTED_MAXIMUM`. */
export async function countMatches(db: Db, search: Search, text: IndexQueries): Promise<number> {
  const counted =
    search.condition === null
      ? sql<{ total: number }>`select ${countIndexed(search, text)} as total`
      : sql<{ total: number }>`
          select count(*) as total from (${selectFound(search, text, COUNTED_MAXIMUM)}) as found`
  const { rows } = await counted.execute(db)
  return rows[0]?.total ?? 0
}

interface NoRow {
  readonly document: null
}

/**
 * Finds matches by scanning the videos in order, which is fast if many match: the page
 * is full soon.
 */
export async function walkMatches(
  db: Db,
  search: Search,
  whole: string | null,
  sort: VideoSort,
  after: SortKey | undefined,
): Promise<readonly ListedVideo[]> {
  const query = selectVideos(search.accountId, { ...search, sort, after }, isMatch(search, whole))
  const { rows } = await executeAsBytes(db, query)
  return rows.map((row) => listedVideo(row, sort))
}

/** As `walkMatches`, with the total, for searches without an index query. */
export async function walkCounted(
  db: Db,
  search: Search,
  whole: string | null,
  sort: VideoSort,
  after: SortKey | undefined,
): Promise<SortedPage> {
  const isFound = isMatch(search, whole)
  const query = sql<(KeyedRow | NoRow) & { total: number }>`
    with listed as (${selectVideos(search.accountId, { ...search, sort, after }, isFound)})
    select ${countVideos(search.accountId, isFound)} as total, listed.*
      from (values (1)) as always left join listed on true`
  const { rows } = await executeAsBytes(db, query)
  return pageOf(rows, sort)
}

function pageOf(rows: readonly ((KeyedRow | NoRow) & { total: number })[], sort: VideoSort): SortedPage {
  const found = rows.flatMap((row) => (row.document === null ? [] : [listedVideo(row as KeyedRow, sort)]))
  return { rows: found, total: rows[0]?.total ?? 0 }
}

/** A subquery for each video: for a join, PostgreSQL might scan all of `video_search`. */
function isMatch({ accountId, visibleAtMs, filter }: Search, whole: string | null): RawBuilder<boolean> {
  const isWord =
    whole === null
      ? sql`true`
      : sql`(select s.words @@ ${whole}::tsquery from video_search s
              where s.account_id = ${accountId} and s.video_id = v.video_id)`
  return sql`${isVisible(visibleAtMs)} and ${filter ?? sql`true`} and ${isWord}`
}
