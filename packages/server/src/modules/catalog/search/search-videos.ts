import type { Filter } from '@continuity/core/search/filter'
import { parseQuery } from '@continuity/core/search/parse-query'
import type { TextField } from '@continuity/core/search/search-terms'
import type { Db } from '../../../platform/database/database.ts'
import type { TierKey } from '../records/tier-store.ts'
import type { MediaType } from '../records/video-document.ts'
import type { SortKey, VideoSort } from '../records/video-sort.ts'
import { COUNTED_MAXIMUM, type ListedVideo } from '../records/video-store.ts'
import { type Corrections, correctText, findCorrections } from './correct-text.ts'
import { planSearch, type SearchPlan } from './plan-search.ts'
import {
  countMatches,
  isNewestFirst,
  newestFirst,
  type RankedKey,
  type Search,
  searchNewest,
  searchRanked,
  searchSorted,
  walkCounted,
  walkMatches,
} from './search-select.ts'

export interface SearchParams {
  readonly accountId: string
  readonly query: string
  readonly fields: readonly TextField[]
  readonly filter: Filter | null
  /** Undefined for relevance. */
  readonly sort: VideoSort | undefined
  readonly mediaType: MediaType
  readonly visibleAtMs: number | null
  readonly limit: number
  readonly cursor: SearchCursor | undefined
}

/** The start of a page. */
export type SearchCursor = (
  | { readonly kind: 'sorted'; readonly after: SortKey }
  | { readonly kind: 'ranked'; readonly after: RankedKey; readonly bound: TierKey | undefined }
  // After the ranked matches, by date.
  | { readonly kind: 'older'; readonly after: SortKey }
) & { readonly corrections?: Corrections | undefined }

export interface FoundVideo extends ListedVideo {
  /** The start of the next page if this is the last row of its page. */
  readonly cursor: SearchCursor
}

export interface FoundPage {
  readonly rows: readonly FoundVideo[]
  /** At most one more than the largest total that is returned. */
  readonly total: number
}

/**
 * A page of the videos that match. If none match and some of the words are unknown, the
 * search is repeated with similar words.
 */
export async function searchVideos(db: Db, params: SearchParams): Promise<FoundPage> {
  const { accountId, query, cursor } = params
  const text = parseQuery(query)
  const known = cursor?.corrections
  const variants = known === undefined ? [text] : correctText(text, known)
  const page = await search(db, params, planSearch(variants, params.fields, params.filter), known)
  if (page.total > 0 || cursor !== undefined) return page
  const corrections = await findCorrections(db, accountId, text)
  if (corrections === undefined) return page
  const corrected = planSearch(correctText(text, corrections), params.fields, params.filter)
  return search(db, params, corrected, corrections)
}

async function search(
  db: Db,
  params: SearchParams,
  plan: SearchPlan,
  corrections: Corrections | undefined,
): Promise<FoundPage> {
  const { indexed, bounds, condition, filter } = plan
  const { accountId, mediaType, visibleAtMs, limit, sort, cursor } = params
  const criteria: Search = { accountId, mediaType, visibleAtMs, limit, bounds, condition, filter }
  const isRanked = sort === undefined && indexed !== undefined && indexed.rank !== null
  const page = isRanked
    ? await pageByRelevance(db, criteria, indexed, cursor)
    : await pageByField(
        db,
        criteria,
        plan,
        sort ?? newestFirst,
        cursor?.kind === 'sorted' ? cursor.after : undefined,
      )
  return { ...page, rows: page.rows.map((row) => ({ ...row, cursor: { ...row.cursor, corrections } })) }
}

async function pageByField(
  db: Db,
  criteria: Search,
  { indexed, whole }: SearchPlan,
  sort: VideoSort,
  after: SortKey | undefined,
): Promise<FoundPage> {
  const withCursors = (rows: readonly ListedVideo[]): FoundVideo[] =>
    rows.map((row) => ({ ...row, cursor: { kind: 'sorted', after: row.key } }))
  if (indexed === undefined) {
    const { rows, total } = await walkCounted(db, criteria, whole, sort, after)
    return { rows: withCursors(rows), total }
  }
  if (isNewestFirst(sort) && criteria.condition === null) {
    const { rows, total } = await searchNewest(db, criteria, indexed, after)
    return { rows: withCursors(rows), total }
  }
  const { rows, total } = await searchSorted(db, criteria, indexed, sort, after)
  const isSorted = total < COUNTED_MAXIMUM
  return { rows: withCursors(isSorted ? rows : await walkMatches(db, criteria, whole, sort, after)), total }
}

async function pageByRelevance(
  db: Db,
  criteria: Search,
  indexed: NonNullable<SearchPlan['indexed']>,
  cursor: SearchCursor | undefined,
): Promise<FoundPage> {
  const { whole } = indexed
  const older = async (after: SortKey, limit: number): Promise<FoundVideo[]> => {
    const rows = await walkMatches(db, { ...criteria, limit }, whole, newestFirst, after)
    return rows.map((row) => ({ ...row, cursor: { kind: 'older', after: row.key } }))
  }
  if (cursor?.kind === 'older') {
    return {
      rows: await older(cursor.after, criteria.limit),
      total: await countMatches(db, criteria, indexed),
    }
  }
  const from = cursor?.kind === 'ranked' ? cursor : { after: undefined, bound: undefined }
  const { rows: best, total, bound } = await searchRanked(db, criteria, indexed, from)
  const ranked = best.map(({ document, mediaPath, key, ...after }): FoundVideo => {
    return { document, mediaPath, key, cursor: { kind: 'ranked', after, bound } }
  })
  const missing = criteria.limit - ranked.length
  const rest =
    missing > 0 && bound !== undefined ? await older([bound.publishedMs, bound.videoId], missing) : []
  return { rows: [...ranked, ...rest], total }
}
