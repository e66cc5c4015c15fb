import type { Filter } from '@continuity/core/search/filter'
import { parseQuery } from '@continuity/core/search/parse-query'
import type { TextField } from '@continuity/core/search/search-terms'
import type { Db } from '../../platform/database/database.ts'
import { type Corrections, correctText, findCorrections } from './correct-text.ts'
import { planSearch, type SearchPlan } from './plan-search.ts'
import {
  countMatches,
  isNewestFirst,
  newestFirst,
  type RankedPlace,
  type Search,
  searchNewest,
  searchRanked,
  searchSorted,
  walkCounted,
  walkMatches,
} from './search-select.ts'
import type { TierKey } from './tier-store.ts'
import type { MediaType } from './video-document.ts'
import type { SortKey, VideoSort } from './video-sort.ts'
import { COUNTED_MAXIMUM, type ListedVideo } from './video-store.ts'

export interface SearchOrder {
  readonly accountId: string
  readonly query: string
  readonly fields: readonly TextField[]
  readonly filter: Filter | null
  /** By relevance where it is undefined. */
  readonly sort: VideoSort | undefined
  readonly mediaType: MediaType
  readonly shownMs: number | null
  readonly limit: number
  readonly place: SearchPlace | undefined
}

/** Where a page begins. */
export type SearchPlace = (
  | { readonly kind: 'sorted'; readonly after: SortKey }
  | { readonly kind: 'ranked'; readonly after: RankedPlace; readonly bound: TierKey | undefined }
  // Past the matches that were ranked, by date.
  | { readonly kind: 'older'; readonly after: SortKey }
) & { readonly corrections?: Corrections | undefined }

export interface FoundVideo extends ListedVideo {
  /** Where the next page would begin, were this the last row of its page. */
  readonly place: SearchPlace
}

export interface FoundPage {
  readonly rows: readonly FoundVideo[]
  /** To one more than is told. */
  readonly total: number
}

/**
 * A page of the videos that were asked for. Where the words find nothing and
 * some of them nobody ever wrote, it is asked again with words like them.
 */
export async function searchVideos(db: Db, order: SearchOrder): Promise<FoundPage> {
  const { accountId, query, place } = order
  const text = parseQuery(query)
  const known = place?.corrections
  const ways = known === undefined ? [text] : correctText(text, known)
  const page = await search(db, order, planSearch(ways, order.fields, order.filter), known)
  if (page.total > 0 || place !== undefined) return page
  const corrections = await findCorrections(db, accountId, text)
  if (corrections === undefined) return page
  const meant = planSearch(correctText(text, corrections), order.fields, order.filter)
  return search(db, order, meant, corrections)
}

async function search(
  db: Db,
  order: SearchOrder,
  plan: SearchPlan,
  corrections: Corrections | undefined,
): Promise<FoundPage> {
  const { indexed, bounds, condition, filter } = plan
  const { accountId, mediaType, shownMs, limit, sort, place } = order
  const asked: Search = { accountId, mediaType, shownMs, limit, bounds, condition, filter }
  const isRanked = sort === undefined && indexed !== undefined && indexed.rank !== null
  const page = isRanked
    ? await pageByRelevance(db, asked, indexed, place)
    : await pageByField(
        db,
        asked,
        plan,
        sort ?? newestFirst,
        place?.kind === 'sorted' ? place.after : undefined,
      )
  return { ...page, rows: page.rows.map((row) => ({ ...row, place: { ...row.place, corrections } })) }
}

async function pageByField(
  db: Db,
  asked: Search,
  { indexed, whole }: SearchPlan,
  sort: VideoSort,
  after: SortKey | undefined,
): Promise<FoundPage> {
  const placed = (rows: readonly ListedVideo[]): FoundVideo[] =>
    rows.map((row) => ({ ...row, place: { kind: 'sorted', after: row.key } }))
  if (indexed === undefined) {
    const { rows, total } = await walkCounted(db, asked, whole, sort, after)
    return { rows: placed(rows), total }
  }
  if (isNewestFirst(sort) && asked.condition === null) {
    const { rows, total } = await searchNewest(db, asked, indexed, after)
    return { rows: placed(rows), total }
  }
  const { rows, total } = await searchSorted(db, asked, indexed, sort, after)
  const isSorted = total < COUNTED_MAXIMUM
  return { rows: placed(isSorted ? rows : await walkMatches(db, asked, whole, sort, after)), total }
}

async function pageByRelevance(
  db: Db,
  asked: Search,
  indexed: NonNullable<SearchPlan['indexed']>,
  place: SearchPlace | undefined,
): Promise<FoundPage> {
  const { whole } = indexed
  const older = async (after: SortKey, limit: number): Promise<FoundVideo[]> => {
    const rows = await walkMatches(db, { ...asked, limit }, whole, newestFirst, after)
    return rows.map((row) => ({ ...row, place: { kind: 'older', after: row.key } }))
  }
  if (place?.kind === 'older') {
    return { rows: await older(place.after, asked.limit), total: await countMatches(db, asked, indexed) }
  }
  const from = place?.kind === 'ranked' ? place : { after: undefined, bound: undefined }
  const { rows: best, total, bound } = await searchRanked(db, asked, indexed, from)
  const ranked = best.map(({ document, mediaPath, key, ...after }): FoundVideo => {
    return { document, mediaPath, key, place: { kind: 'ranked', after, bound } }
  })
  const missing = asked.limit - ranked.length
  const rest =
    missing > 0 && bound !== undefined ? await older([bound.publishedMs, bound.videoId], missing) : []
  return { rows: [...ranked, ...rest], total }
}
