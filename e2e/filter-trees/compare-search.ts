import { type Filter, readFilter } from '@continuity/core/search/filter'
import { printPlace, readPlace } from '../../packages/server/src/modules/catalog/search-place.ts'
import { type SearchPlace, searchVideos } from '../../packages/server/src/modules/catalog/search-videos.ts'
import { videoSort } from '../../packages/server/src/modules/catalog/video-sort.ts'
import type { Db } from '../../packages/server/src/platform/database/database.ts'
import type { Asked } from './asked.ts'
import { type Expected, expectSearch } from './expect-search.ts'
import { printTree } from './filter-tree.ts'
import { type CatalogVideo, NOW_MS } from './random-catalog.ts'

export interface SearchedCatalog {
  readonly db: Db
  readonly accountId: string
  readonly videos: readonly CatalogVideo[]
}

const PAGE_SIZE = 50

export interface Compared {
  /** In what the database differs from the definition. */
  readonly difference: string | undefined
  /** How many match by the definition. */
  readonly found: number
  /** Rows of the answer that were compared. */
  readonly rows: number
}

export async function compareSearch(
  catalog: SearchedCatalog,
  asked: Asked,
  pages: 'first' | 'all',
): Promise<Compared> {
  // Asked before the definition is worked out, so that both work at the same time.
  let rows = 0
  const asking = readPages(catalog, asked, pages === 'all' ? Number.POSITIVE_INFINITY : 1)
  const expected = expectSearch(catalog.videos, asked)
  const difference = await asking.then(
    (found) => {
      rows = found.ids.length
      return differenceOf(expected, found, pages)
    },
    (error: unknown) => `it failed: ${String(error)}`,
  )
  return { difference, found: expected.ids.length, rows }
}

interface Found {
  readonly ids: readonly string[]
  readonly totals: readonly number[]
}

async function readPages({ db, accountId }: SearchedCatalog, asked: Asked, most: number): Promise<Found> {
  const { query, fields, shownMs, sort } = asked
  const filter = readByServer(asked)
  const ids: string[] = []
  const totals: number[] = []
  let place: SearchPlace | undefined
  do {
    const { rows, total } = await searchVideos(db, {
      accountId,
      query,
      fields,
      filter,
      sort: sort === undefined ? undefined : videoSort(sort.field, sort.order),
      mediaType: 'mp4',
      shownMs,
      limit: PAGE_SIZE,
      place,
    })
    ids.push(...rows.map(({ document }) => idOf(document)))
    totals.push(total)
    const last = rows.length < PAGE_SIZE ? undefined : rows.at(-1)
    // By way of the mark, as a client would go on.
    place = last === undefined ? undefined : readPlace(printPlace(last.place))
  } while (place !== undefined && totals.length < most)
  return { ids, totals }
}

/** The way of a filter into the database: what is sent is read by the server's own code. */
function readByServer({ filter }: Asked): Filter | null {
  if (filter === undefined) return null
  const sent = printTree(filter)
  const read = readFilter(sent, NOW_MS)
  if (read.kind === 'refused') throw new Error(`${read.pointer} ${read.message}: ${JSON.stringify(sent)}`)
  return read.filter
}

/** A document begins with it. */
const idOf = (document: string) => document.slice('{"video_id":"'.length, '{"video_id":"'.length + 36)

function differenceOf(
  expected: Expected,
  { ids, totals }: Found,
  pages: 'first' | 'all',
): string | undefined {
  const count = expected.ids.length
  const wrongTotal = totals.find((total) => total !== count)
  if (wrongTotal !== undefined) return `${wrongTotal} in all instead of ${count}${firstOf(expected.ids, ids)}`
  const isListed = new Set(expected.ids)
  const stranger = ids.find((id) => !isListed.has(id))
  if (stranger !== undefined) return `${stranger} does not match`
  if (new Set(ids).size < ids.length) return 'a video is there twice'
  const length = pages === 'all' ? count : Math.min(count, PAGE_SIZE)
  if (ids.length !== length) return `${ids.length} rows instead of ${length}${firstOf(expected.ids, ids)}`
  const at = expected.isOrdered ? ids.findIndex((id, at) => id !== expected.ids[at]) : -1
  return at === -1 ? undefined : `${ids[at]} is in the place of ${expected.ids[at]}`
}

const firstOf = (expected: readonly string[], ids: readonly string[]) => {
  const missing = expected.find((id) => !ids.includes(id))
  const stranger = ids.find((id) => !expected.includes(id))
  return `; first missing ${missing ?? 'none'}, first too many ${stranger ?? 'none'}`
}
