import { randomUUID } from 'node:crypto'
import { startTestPostgres } from '@continuity/dev/test-postgres'
import { openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { addAccounts } from '../../packages/server/src/platform/testing/an-account.ts'
import { round } from '../../tools/figures/figures.ts'
import { createDraw } from '../draw.ts'
import { proof } from '../proofs/proof.ts'
import { loadCatalog } from './load-catalog.ts'
import { openSearchApi } from './search-api.ts'
import { sendFilters } from './send-filters.ts'
import { trySearches } from './try-searches.ts'

export const filterTrees = proof({
  name: 'filter-trees',
  title: 'Searches compared with a model',
  promise:
    'A catalog drawn at random, every field of it filled, empty or missing, in tiers so small that there are ' +
    'many. Filters drawn at random as trees, with words beside them and a sort for some, and values of the catalog or ' +
    'next to them. The proof prints each tree to what is sent and evaluates it itself over every video; the database ' +
    'finds the same number, the same videos, in the order of the sort, on the first page, and for one search in ten ' +
    'on every page. An invalid filter is a 400 that states where, and never a 500. The words of texts and queries are ' +
    'divided and folded by the definitions in packages/core, which have tests of their own.',
  watches: ['packages/core/src/search', 'packages/server/src/modules/catalog', 'e2e/filter-trees'],
  sabotage: {
    title: 'the database compares gt as gte',
    changes: [
      {
        file: 'packages/server/src/modules/catalog/search/filter-sql.ts',
        from: "{ gte: '>=', lte: '<=', gt: '>', lt: '<' }",
        to: "{ gte: '>=', lte: '<=', gt: '>=', lt: '<' }",
      },
    ],
    missed: ['searches_that_differ'],
  },
  sizes: {
    small: { videos: 300, tierFull: 30, searches: 300, wrong: 120 },
    full: { videos: 5_000, tierFull: 300, searches: 20_000, wrong: 5_000 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const postgres = opened.use(await startTestPostgres())
    const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
    const database = openDatabase(postgres.serviceUrl, { connections: 4, logger, patience: 8 })
    opened.defer(() => database.close())
    const accountId = randomUUID()
    await addAccounts(postgres.templateUrl, { catalog: accountId })

    const catalog = await loadCatalog(database.forAccount(accountId), accountId, createDraw(seed), size)
    log(`${catalog.videos.length} videos`)
    const startMs = performance.now()
    const tried = await trySearches(catalog, createDraw(seed + 1), size.searches, log)
    const seconds = (performance.now() - startMs) / 1_000
    log(`${round(size.searches / seconds, 0)} searches a second`)
    const sent = await sendFilters(openSearchApi(database, accountId), catalog.videos, createDraw(seed + 2), {
      wrong: size.wrong,
      log,
    })

    return {
      figures: {
        videos: catalog.videos.length,
        searches: tried.compared,
        rows_compared: tried.rows,
        searches_with_words: tried.withWords,
        searches_that_found_some: tried.foundSome,
        searches_that_left_some_out: tried.leftSomeOut,
        searches_on_every_page: tried.onEveryPage,
        operators_tried: tried.operators.size,
        fields_tried: tried.fields.size,
        searches_that_differ: tried.differences,
        invalid_filters: sent.wrong,
        invalid_filters_not_rejected_with_a_pointer: sent.notRejected,
        valid_filters_over_http: sent.right,
        valid_filters_answered_wrongly: sent.validFailed,
      },
      targets: {
        videos: { atLeast: 0.9 * size.videos },
        searches: { is: size.searches },
        rows_compared: { atLeast: 5 * size.searches },
        searches_with_words: { atLeast: size.searches / 5 },
        searches_that_found_some: { atLeast: size.searches / 3 },
        searches_that_left_some_out: { atLeast: size.searches / 3 },
        searches_on_every_page: { atLeast: size.searches / 20 },
        operators_tried: { is: 10 },
        fields_tried: { is: 26 },
        searches_that_differ: { is: 0 },
        invalid_filters: { is: size.wrong },
        invalid_filters_not_rejected_with_a_pointer: { is: 0 },
        valid_filters_over_http: { atLeast: size.wrong / 4 },
        valid_filters_answered_wrongly: { is: 0 },
      },
    }
  },
})
