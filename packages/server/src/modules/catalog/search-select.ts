import { type RawBuilder, sql } from 'kysely'
import { type Db, executeAsBytes } from '../../platform/database/database.ts'
import { pageLimit } from '../../platform/database/page-limit.ts'
import { NO_BOUNDS, type RowBounds } from './row-bounds.ts'
import { HIGHEST_KEY, selectBatches, type TierKey } from './tier-store.ts'
import { type MediaType, mediaColumn } from './video-document.ts'
import { type SortKey, type VideoSort, videoSort } from './video-sort.ts'
import {
  COUNTED_MAXIMUM,
  countVideos,
  inOrder,
  isAfter,
  isShown,
  type KeyedRow,
  keysOf,
  type ListedVideo,
  listedVideo,
  selectVideos,
} from './video-store.ts'

/** Queries of PostgreSQL's text search that say together what was asked for. */
export interface TextQueries {
  /** For the index. */
  readonly terms: string
  /** For words, where the index alone cannot tell. */
  readonly exact: string | null
  /** For words, the whole of it: what tells of any one video whether it matches. */
  readonly whole: string | null
  /** What matches are ranked by; null where every match is as good as any other. */
  readonly rank: string | null
  /** What a word counts in the description, the series title, the keywords and the title. */
  readonly weights: readonly number[]
  /** What a video matches whose title is all that was asked for. */
  readonly title: string | null
}

export interface Search {
  readonly accountId: string
  readonly mediaType: MediaType
  readonly shownMs: number | null
  readonly limit: number
  readonly bounds: RowBounds | null
  /** What the filter asks for, and neither the index nor bounds can tell, of the row of a video `v`. */
  readonly condition: RawBuilder<boolean> | null
  /** The whole filter. */
  readonly filter: RawBuilder<boolean> | null
}

/** Relevance is weighed among this many of the newest matches, and so among all where there are no more. */
const RANKED_MOST = 1_000

/** Where a page by relevance begins, and which matches are ranked. */
export interface RankedPlace {
  readonly rank: number
  readonly publishedMs: number
  readonly videoId: string
}

export interface RankedPage {
  readonly rows: readonly (ListedVideo & RankedPlace)[]
  /** One more than is told, where there are more. */
  readonly total: number
  /** The oldest match that is ranked; undefined where all are. */
  readonly bound: TierKey | undefined
}

/**
 * The best matches first, the newest first among equals.
 *
 * The next pages rank the same matches: `bound` is what the first page found,
 * so that a video that is added meanwhile pushes no other out.
 */
export async function searchRanked(
  db: Db,
  search: Search,
  text: TextQueries,
  from: { readonly after: RankedPlace | undefined; readonly bound: TierKey | undefined },
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

interface RankedRow extends RankedPlace {
  readonly document: string
  readonly mediaPath: string | null
  readonly total: number
  readonly boundMs: number | null
  readonly boundId: string | null
}

export function selectRanked(
  search: Search,
  { terms, exact, rank, weights, title }: TextQueries,
  { after, bound }: { readonly after: RankedPlace | undefined; readonly bound: TierKey | undefined },
) {
  const { accountId, mediaType, limit } = search
  const isRanked =
    bound === undefined
      ? sql`true order by published_ms desc, video_id desc limit ${sql.raw(after === undefined ? `${RANKED_MOST}` : 'all')}`
      : sql`(published_ms, video_id) >= (${bound.publishedMs}::bigint, ${bound.videoId}::uuid)`
  // The first page needs no more of them than are ranked; where all are found for the next, they are counted too.
  const most = after === undefined ? mostNeeded(search, RANKED_MOST) : COUNTED_MAXIMUM
  const isAfterPlace =
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
      select rank, published_ms, video_id from ranked where ${isAfterPlace}
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
           v.document, v.${sql.ref(mediaColumn(mediaType))} as "mediaPath"
      from (values (1)) as always
      left join best on true
      left join videos v on v.account_id = ${accountId} and v.video_id = best.video_id
     order by best.rank desc, best.published_ms desc, best.video_id desc`
}

/**
 * For all of its words, PostgreSQL weighs how near they stand to each other, far
 * above where they stand; for any of them, only where. Both together are what a
 * reader expects. No word holds a sign, so these are none of a word.
 */
const eachRank = (rank: string | null) => rank?.replaceAll(' & ', ' | ') ?? null

type IndexQueries = Pick<TextQueries, 'terms' | 'exact'>

/**
 * So many matches at most, from the newest on, or from before one. Tiers are
 * asked batch by batch, and no further than that many are found in.
 */
function selectFound(
  { accountId, shownMs, bounds, condition }: Search,
  { terms, exact }: IndexQueries,
  most: number,
  before: TierKey = HIGHEST_KEY,
): RawBuilder<unknown> {
  // Not a join: one that was hashed would ask all tiers before the first match came out.
  const isFiltered =
    condition === null
      ? sql``
      : sql`where (select ${condition} from videos v where v.account_id = ${accountId} and v.video_id = m.video_id)`
  const { publishedMs, duration } = bounds ?? NO_BOUNDS
  return sql`
    select m.video_id, m.published_ms
      from (${selectBatches(accountId, publishedMs, before)}) as b
     cross join lateral match_videos(b.tiers, b.from_ms, b.from_id, b.to_ms, b.to_id, ${terms},
       ${exact}::tsquery, ${shownMs}::bigint, ${publishedMs.least}::bigint, ${publishedMs.most}::bigint,
       ${duration.least}::bigint, ${duration.most}::bigint, ${condition === null ? most : null}::integer) as m
     ${isFiltered}
     limit ${sql.raw(`${most}`)}`
}

/** What `condition` asks is asked of matches that were found, so that to count them all are. */
const mostNeeded = ({ condition }: Search, most: number) => (condition === null ? most : COUNTED_MAXIMUM)

/** How many match in all, to one more than is told, where at most so many are in `found`. */
function countFound(search: Search, text: IndexQueries, most: number): RawBuilder<number> {
  if (most === COUNTED_MAXIMUM) return sql`(select count(*) from found)`
  return sql`(select case when count(*) < ${sql.raw(`${most}`)} then count(*) else ${countIndexed(search, text)} end
                from found)`
}

function countIndexed({ shownMs, bounds }: Search, { terms, exact }: IndexQueries): RawBuilder<number> {
  const { publishedMs, duration } = bounds ?? NO_BOUNDS
  const isTold = exact === null && shownMs === null && bounds === null
  return sql`count_videos(${isTold}::boolean, ${terms}, ${exact}::tsquery, ${shownMs}::bigint, ${publishedMs.least}::bigint,
    ${publishedMs.most}::bigint, ${duration.least}::bigint, ${duration.most}::bigint, ${COUNTED_MAXIMUM - 1}::integer)`
}

export interface SortedPage {
  readonly rows: readonly ListedVideo[]
  readonly total: number
}

/** Matches of the index by a field. No rows where there are too many to sort: then they are walked to. */
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
      select ${keysOf(sort)}, v.document, v.${sql.ref(mediaColumn(mediaType))} as "mediaPath",
             row_number() over (order by ${inOrder(sort)}) as place
        from found f join videos v on v.account_id = ${accountId} and v.video_id = f.video_id
       where (select count(*) from found) < ${sql.raw(`${COUNTED_MAXIMUM}`)} and ${isOnPage}
       order by ${inOrder(sort)} limit ${pageLimit(limit)}
    )
    select (select count(*) from found) as total, sorted.*
      from (values (1)) as always left join sorted on true order by place`
  const { rows } = await executeAsBytes(db, query)
  return pageOf(rows, sort)
}

/** The order that matches are found in. */
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
           ${keysOf(newestFirst)}, v.document, v.${sql.ref(mediaColumn(mediaType))} as "mediaPath"
      from (values (1)) as always
      left join found f on true
      left join videos v on v.account_id = ${accountId} and v.video_id = f.video_id
     order by ${inOrder(newestFirst)}`
  const { rows } = await executeAsBytes(db, query)
  return pageOf(rows, newestFirst)
}

/** How many match, to one more than is told. */
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
 * Matches found by going through the videos in order, which is quick where
 * many match: a page is full before long.
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

/** The same with the number of all, for what the index cannot be asked for. */
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

/** Asked of one video after the other; a join might be turned round, and read every word there is. */
function isMatch({ accountId, shownMs, filter }: Search, whole: string | null): RawBuilder<boolean> {
  const isWord =
    whole === null
      ? sql`true`
      : sql`(select s.words @@ ${whole}::tsquery from video_search s
              where s.account_id = ${accountId} and s.video_id = v.video_id)`
  return sql`${isShown(shownMs)} and ${filter ?? sql`true`} and ${isWord}`
}
