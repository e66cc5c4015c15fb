import type { Draw } from '../draw.ts'
import { compareSearch, type SearchedCatalog } from './compare-search.ts'
import { expectSearch } from './expect-search.ts'
import { printTree, usesOf } from './filter-tree.ts'
import { type Search, someSearch } from './random-search.ts'
import { shrinkSearch } from './shrink-search.ts'

export interface Tried {
  /** Searches that were answered and compared. */
  readonly compared: number
  readonly rows: number
  readonly withWords: number
  readonly foundSome: number
  readonly leftSomeOut: number
  readonly onEveryPage: number
  readonly operators: ReadonlySet<string>
  readonly fields: ReadonlySet<string>
  readonly differences: number
}

/** The database runs some searches while the model evaluates others. */
const AT_ONCE = 3

const MOST_LOGGED = 5
/** The proof ends after so many differences. */
const DIFFERENCES_ENOUGH = 20

/** Draws searches and compares the results of the database with the model. Logs the first differences. */
export async function trySearches(
  catalog: SearchedCatalog,
  draw: Draw,
  count: number,
  log: (line: string) => void,
): Promise<Tried> {
  const tried = { compared: 0, rows: 0, withWords: 0, foundSome: 0, leftSomeOut: 0, onEveryPage: 0 }
  const [operators, fields] = [new Set<string>(), new Set<string>()]
  let differences = 0
  let left = count
  const tryNext = async () => {
    while (left > 0 && differences < DIFFERENCES_ENOUGH) {
      left -= 1
      const search = someSearch(draw, catalog.videos)
      const pages = left % 10 === 0 ? 'all' : 'first'
      const { difference, found, rows } = await compareSearch(catalog, search, pages)
      tried.compared += 1
      tried.rows += rows
      tried.withWords += search.query === '' ? 0 : 1
      tried.foundSome += found > 0 ? 1 : 0
      tried.leftSomeOut += found < catalog.videos.length ? 1 : 0
      tried.onEveryPage += pages === 'all' ? 1 : 0
      for (const { operator, field } of search.filter === undefined ? [] : usesOf(search.filter)) {
        operators.add(operator)
        if (field !== undefined) fields.add(field)
      }
      if (difference === undefined) continue
      differences += 1
      if (differences <= MOST_LOGGED) log(await describeDifference(catalog, search, pages, difference))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, tryNext))
  return { ...tried, operators, fields, differences }
}

/** The smallest search that differs, how it differs, and the videos concerned. */
async function describeDifference(
  catalog: SearchedCatalog,
  search: Search,
  pages: 'first' | 'all',
  first: string,
): Promise<string> {
  const compare = async (one: Search) => (await compareSearch(catalog, one, pages)).difference
  const smallest = await shrinkSearch(search, async (one) => (await compare(one)) !== undefined)
  const difference = (await compare(smallest)) ?? `not when it was sent again; first: ${first}`
  const named = catalog.videos.filter(({ record }) => difference.includes(record.video_id)).slice(0, 2)
  const shown = { ...smallest, filter: smallest.filter && printTree(smallest.filter) }
  const lines = [`${JSON.stringify(shown)}: ${difference}`, ...named.map((video) => JSON.stringify(video))]
  return [...lines, `${expectSearch(catalog.videos, smallest).ids.length} match by the model`].join('\n  ')
}
