import { type RawBuilder, sql } from 'kysely'
import { type Db, executeAsBytes } from '../../platform/database/database.ts'
import { pageLimit } from '../../platform/database/page-limit.ts'
import { selectBatches, type TierKey } from './tier-store.ts'
import { type MediaType, mediaColumn } from './video-document.ts'
import type { SortKey, VideoSort } from './video-sort.ts'
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
  /** What the filter asks for and the index cannot tell, of the row of a video `v`. */
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
  const isAfterPlace =
    after === undefined
      ? sql`true`
      : sql`(rank, published_ms, video_id) < (${after.rank}::integer, ${after.publishedMs}::bigint, ${after.videoId}::uuid)`
  return sql<RankedRow>`
    with found as materialized (${selectFound(search, terms, exact)}),
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
       where (select count(*) from found) > (select count(*) from newest)
       order by published_ms, video_id limit 1
    )
    select (select count(*) from found) as total,
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

/**
 * Matches from the newest on, one more than is ever told at most. Tiers are
 * asked batch by batch, and no further than that many are found in.
 */
function selectFound(
  { accountId, shownMs, condition }: Search,
  terms: string,
  exact: string | null,
): RawBuilder<unknown> {
  // Not a join: one that was hashed would ask all tiers before the first match came out.
  const isFiltered =
    condition === null
      ? sql``
      : sql`where (select ${condition} from videos v where v.account_id = ${accountId} and v.video_id = m.video_id)`
  return sql`
    select m.video_id, m.published_ms
      from (${selectBatches(accountId)}) as b
     cross join lateral match_videos(b.tiers, b.from_ms, b.from_id, b.to_ms, b.to_id, ${terms},
       ${exact}::tsquery, ${shownMs}::bigint, ${condition === null ? COUNTED_MAXIMUM : null}::integer) as m
     ${isFiltered}
     limit ${sql.raw(`${COUNTED_MAXIMUM}`)}`
}

export interface SortedPage {
  readonly rows: readonly ListedVideo[]
  readonly total: number
}

/** Matches of the index by a field. No rows where there are too many to sort: then they are walked to. */
export async function searchSorted(
  db: Db,
  search: Search,
  { terms, exact }: Pick<TextQueries, 'terms' | 'exact'>,
  sort: VideoSort,
  after: SortKey | undefined,
): Promise<SortedPage> {
  const { accountId, mediaType, limit } = search
  const isOnPage = after === undefined ? sql`true` : isAfter(sort, after)
  const query = sql<(KeyedRow | NoRow) & { total: number }>`
    with found as materialized (${selectFound(search, terms, exact)}),
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

/** How many match, to one more than is told. */
export async function countMatches(
  db: Db,
  search: Search,
  { terms, exact }: Pick<TextQueries, 'terms' | 'exact'>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${selectFound(search, terms, exact)}) as found`.execute(db)
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
