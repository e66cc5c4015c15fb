import { randomUUID } from 'node:crypto'
import { openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/logger.ts'
import { addAccounts } from '../../packages/server/src/platform/testing/an-account.ts'
import { round } from '../../tools/figures/figures.ts'
import { startTestPostgres } from '../../tools/test-postgres.ts'
import { createDraw } from '../draw.ts'
import { proof } from '../proofs/proof.ts'
import { loadCatalog } from './load-catalog.ts'
import { openSearchApi } from './search-api.ts'
import { sendFilters } from './send-filters.ts'
import { trySearches } from './try-searches.ts'

export const filterTrees = proof({
  name: 'filter-trees',
  title: 'Searches against their definition',
  promise:
    'A catalog drawn at random, every field of it filled, empty and left out in turn, in tiers so small that there are ' +
    'many. Filters drawn at random, with words beside them and a sort for some, and values of the catalog or next to ' +
    'them. The database finds what a few lines of JavaScript say that each video matches: the same number, the same ' +
    'videos, in the order of the sort, on the first page, and for one search in ten on every page. A filter that is ' +
    'wrong is a 400 that says where, and never a 500.',
  sizes: {
    small: { videos: 600, tierFull: 40, searches: 2_000, wrong: 400 },
    full: { videos: 5_000, tierFull: 300, searches: 20_000, wrong: 5_000 },
  },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    const postgres = opened.use(await startTestPostgres())
    const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
    const database = openDatabase(postgres.serviceUrl, { connections: 4, logger })
    opened.defer(() => database.close())
    const accountId = randomUUID()
    await addAccounts(postgres.templateUrl, { catalog: accountId })

    const catalog = await loadCatalog(database.forAccount(accountId), accountId, createDraw(seed), size)
    say(`${catalog.videos.length} videos`)
    const startMs = performance.now()
    const tried = await trySearches(catalog, createDraw(seed + 1), size.searches, say)
    const seconds = (performance.now() - startMs) / 1_000
    say(`${round(size.searches / seconds, 0)} searches a second`)
    const sent = await sendFilters(openSearchApi(database, accountId), catalog.videos, createDraw(seed + 2), {
      wrong: size.wrong,
      say,
    })

    return {
      figures: {
        videos: catalog.videos.length,
        searches: size.searches,
        searches_with_words: tried.withWords,
        searches_that_found_some: tried.foundSome,
        searches_on_every_page: tried.onEveryPage,
        searches_that_differ: tried.differences,
        wrong_filters: sent.wrong,
        wrong_filters_not_refused_with_their_place: sent.notRefused,
        right_filters_over_the_wire: sent.right,
        right_filters_refused: sent.refused,
      },
      targets: {
        searches_that_found_some: { atLeast: size.searches / 3 },
        searches_on_every_page: { atLeast: size.searches / 20 },
        searches_that_differ: { is: 0 },
        wrong_filters_not_refused_with_their_place: { is: 0 },
        right_filters_refused: { is: 0 },
      },
    }
  },
})
