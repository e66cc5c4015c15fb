import type { Draw } from '../draw.ts'
import { type Asked, someSearch } from './asked.ts'
import { compareSearch, type SearchedCatalog } from './compare-search.ts'
import { expectSearch } from './expect-search.ts'
import { shrinkSearch } from './shrink-search.ts'

export interface Tried {
  readonly withWords: number
  readonly foundSome: number
  readonly onEveryPage: number
  readonly differences: number
}

/** The database works on some while the definition of others is worked out. */
const AT_ONCE = 3

const TOLD_MOST = 5

/** Draws searches and compares what the database finds with what the definition says. Tells the first differences. */
export async function trySearches(
  catalog: SearchedCatalog,
  draw: Draw,
  count: number,
  say: (line: string) => void,
): Promise<Tried> {
  const tried = { withWords: 0, foundSome: 0, onEveryPage: 0, differences: 0 }
  let left = count
  const tryInTurn = async () => {
    while (left > 0) {
      left -= 1
      const asked = someSearch(draw, catalog.videos)
      const pages = left % 10 === 0 ? 'all' : 'first'
      const { difference, found } = await compareSearch(catalog, asked, pages)
      tried.withWords += asked.query === '' ? 0 : 1
      tried.foundSome += found > 0 ? 1 : 0
      tried.onEveryPage += pages === 'all' ? 1 : 0
      if (difference === undefined) continue
      tried.differences += 1
      if (tried.differences <= TOLD_MOST) say(await tellDifference(catalog, asked, pages))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, tryInTurn))
  return tried
}

/** The smallest search that differs, in what, and the videos that this names. */
async function tellDifference(
  catalog: SearchedCatalog,
  asked: Asked,
  pages: 'first' | 'all',
): Promise<string> {
  const compare = async (one: Asked) => (await compareSearch(catalog, one, pages)).difference
  const smallest = await shrinkSearch(asked, async (one) => (await compare(one)) !== undefined)
  const difference = (await compare(smallest)) ?? 'nothing, when it was asked again'
  const named = catalog.videos.filter(({ record }) => difference.includes(record.video_id)).slice(0, 2)
  const lines = [`${JSON.stringify(smallest)}: ${difference}`, ...named.map((video) => JSON.stringify(video))]
  return [...lines, `${expectSearch(catalog.videos, smallest).ids.length} match by the definition`].join(
    '\n  ',
  )
}
