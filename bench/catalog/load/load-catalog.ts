import { migrateSchema } from '@continuity/server/owner'
import pg from 'pg'
import { addAccounts } from '../../../packages/server/src/platform/testing/an-account.ts'
import { END_MS, planCatalog } from '../generate/catalog-plan.ts'
import { makeVocabulary } from '../generate/vocabulary.ts'
import { accountsOf, BIG_ACCOUNT, SMALL_ACCOUNT } from './accounts.ts'
import { startCopy } from './copy-rows.ts'
import { dropIndexes } from './drop-indexes.ts'
import { loadVideos } from './load-videos.ts'
import { makePlainTable } from './plain-table.ts'
import { countTotals, smallTables } from './small-tables.ts'

export interface LoadOptions {
  readonly psql: string
  readonly ownerUrl: string
  readonly videos: number
}

const bulkTables = ['videos', 'video_search', 'catalog_word_grams']

/** Loads a complete catalog into an empty database. */
export async function loadCatalog(options: LoadOptions, log: (line: string) => void): Promise<void> {
  await migrateSchema(options.ownerUrl, { nowMs: END_MS })
  await addAccounts(options.ownerUrl, { big: BIG_ACCOUNT, small: SMALL_ACCOUNT })
  await using opened = new AsyncDisposableStack()
  const connect = async () => {
    const client = new pg.Client({ connectionString: options.ownerUrl })
    await client.connect()
    opened.defer(() => client.end())
    return client
  }
  const [owner, other] = [await connect(), await connect()]
  const dropped = await dropIndexes(owner, bulkTables)
  const startMs = performance.now()
  const step = (what: string) => log(`${what} after ${Math.round((performance.now() - startMs) / 1_000)} s`)
  await loadSmallTables(options)
  step('brands, series and words')
  await loadVideos(options, log)
  step('videos')
  const recreateIndexes = async (client: pg.Client, table: string) => {
    for (const statement of dropped.indexes.get(table) ?? []) await client.query(statement)
    step(`indexes of ${table}`)
  }
  // The text index takes about as long as everything else, so it is built in parallel.
  await Promise.all([
    recreateIndexes(other, 'video_search'),
    (async () => {
      await recreateIndexes(owner, 'videos')
      await makePlainTable(owner)
      step('plain table')
    })(),
  ])
  for (const statement of dropped.references) await owner.query(statement)
  await countTotals(owner)
  await owner.query('vacuum analyze')
  await checkpoint(options.ownerUrl)
  step('vacuumed and analyzed')
}

async function loadSmallTables({ psql, ownerUrl, videos }: LoadOptions): Promise<void> {
  const vocabulary = makeVocabulary()
  for (const account of accountsOf(videos)) {
    const plan = planCatalog(vocabulary, account)
    for (const [table, rows] of smallTables(vocabulary, plan, account)) {
      const copy = startCopy(psql, ownerUrl, table)
      await copy.write(rows)
      await copy.end()
    }
  }
}

/** Otherwise PostgreSQL would do it during a measurement. Only a superuser may. */
async function checkpoint(ownerUrl: string): Promise<void> {
  const { href } = Object.assign(new URL(ownerUrl), { username: 'postgres', pathname: '/postgres' })
  const superuser = new pg.Client({ connectionString: href })
  await superuser.connect()
  await superuser.query('checkpoint')
  await superuser.end()
}
