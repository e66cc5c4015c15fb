import { type Filter, readFilter } from '@continuity/core/search/filter'
import { videoSort } from '../../packages/server/src/modules/catalog/records/video-sort.ts'
import { printCursor, readCursor } from '../../packages/server/src/modules/catalog/search/search-cursor.ts'
import {
  type SearchCursor,
  searchVideos,
} from '../../packages/server/src/modules/catalog/search/search-videos.ts'
import type { Db } from '../../packages/server/src/platform/database/database.ts'
import { type Expected, expectSearch } from './expect-search.ts'
import { printTree } from './filter-tree.ts'
import { type CatalogVideo, NOW_MS } from './random-catalog.ts'
import type { Search } from './random-search.ts'

export interface SearchedCatalog {
  readonly db: Db
  readonly accountId: string
  readonly videos: readonly CatalogVideo[]
}

const PAGE_SIZE = 50

export interface Compared {
  /** How the database differs from the model; undefined if it does not. */
  readonly difference: string | undefined
  /** How many videos match by the model. */
  readonly found: number
  /** Rows of the answer that were compared. */
  readonly rows: number
}

export async function compareSearch(
  catalog: SearchedCatalog,
  search: Search,
  pages: 'first' | 'all',
): Promise<Compared> {
  // Started before the model is evaluated, so that both run at the same time.
  let rows = 0
  const reading = readPages(catalog, search, pages === 'all' ? Number.POSITIVE_INFINITY : 1)
  const expected = expectSearch(catalog.videos, search)
  const difference = await reading.then(
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

async function readPages({ db, accountId }: SearchedCatalog, search: Search, most: number): Promise<Found> {
  const { query, fields, shownMs, sort } = search
  const filter = readByServer(search)
  const ids: string[] = []
  const totals: number[] = []
  let cursor: SearchCursor | undefined
  do {
    const { rows, total } = await searchVideos(db, {
      accountId,
      query,
      fields,
      filter,
      sort: sort === undefined ? undefined : videoSort(sort.field, sort.order),
      mediaType: 'mp4',
      visibleAtMs: shownMs,
      limit: PAGE_SIZE,
      cursor,
    })
    ids.push(...rows.map(({ document }) => idOf(document)))
    totals.push(total)
    const last = rows.length < PAGE_SIZE ? undefined : rows.at(-1)
    // Through the printed cursor, as a client would continue.
    cursor = last === undefined ? undefined : readCursor(printCursor(last.cursor))
  } while (cursor !== undefined && totals.length < most)
  return { ids, totals }
}

/** The filter as the server's own code parses it. */
function readByServer({ filter }: Search): Filter | null {
  if (filter === undefined) return null
  const sent = printTree(filter)
  const read = readFilter(sent, NOW_MS)
  if (read.kind === 'rejected') throw new Error(`${read.pointer} ${read.message}: ${JSON.stringify(sent)}`)
  return read.filter
}

/** A document begins with its id. */
const idOf = (document: string) => document.slice('{"video_id":"'.length, '{"video_id":"'.length + 36)

function differenceOf(
  expected: Expected,
  { ids, totals }: Found,
  pages: 'first' | 'all',
): string | undefined {
  const count = expected.ids.length
  const wrongTotal = totals.find((total) => total !== count)
  if (wrongTotal !== undefined) return `total ${wrongTotal} instead of ${count}${firstOf(expected.ids, ids)}`
  const isListed = new Set(expected.ids)
  const unexpected = ids.find((id) => !isListed.has(id))
  if (unexpected !== undefined) return `${unexpected} does not match`
  if (new Set(ids).size < ids.length) return 'a video is listed twice'
  const length = pages === 'all' ? count : Math.min(count, PAGE_SIZE)
  if (ids.length !== length) return `${ids.length} rows instead of ${length}${firstOf(expected.ids, ids)}`
  const at = expected.isOrdered ? ids.findIndex((id, at) => id !== expected.ids[at]) : -1
  return at === -1 ? undefined : `${ids[at]} is listed instead of ${expected.ids[at]}`
}

const firstOf = (expected: readonly string[], ids: readonly string[]) => {
  const missing = expected.find((id) => !ids.includes(id))
  const unexpected = ids.find((id) => !expected.includes(id))
  return `; first missing ${missing ?? 'none'}, first unexpected ${unexpected ?? 'none'}`
}
