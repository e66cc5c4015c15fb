import { migrateSchema } from '@continuity/server/owner'
import pg from 'pg'
import { addAccounts } from '../../../packages/server/src/platform/testing/an-account.ts'
import { END_MS, planCatalog } from '../generate/catalog-plan.ts'
import { makeVocabulary } from '../generate/vocabulary.ts'
import { accountsOf, BIG_ACCOUNT, SMALL_ACCOUNT } from './accounts.ts'
import { startCopy } from './copy-rows.ts'
import { loadVideos } from './load-videos.ts'
import { makePlainTable } from './plain-table.ts'
import { setAside } from './set-aside.ts'
import { countTotals, smallTables } from './small-tables.ts'

export interface LoadOrder {
  readonly psql: string
  readonly ownerUrl: string
  readonly videos: number
}

const bulkTables = ['videos', 'video_search', 'catalog_word_grams']

/** A whole catalog in an empty database. */
export async function loadCatalog(order: LoadOrder, say: (line: string) => void): Promise<void> {
  await migrateSchema(order.ownerUrl, { nowMs: END_MS })
  await addAccounts(order.ownerUrl, { big: BIG_ACCOUNT, small: SMALL_ACCOUNT })
  await using opened = new AsyncDisposableStack()
  const connect = async () => {
    const client = new pg.Client({ connectionString: order.ownerUrl })
    await client.connect()
    opened.defer(() => client.end())
    return client
  }
  const [owner, other] = [await connect(), await connect()]
  const aside = await setAside(owner, bulkTables)
  const startMs = performance.now()
  const step = (what: string) => say(`${what} after ${Math.round((performance.now() - startMs) / 1_000)} s`)
  await loadSmallTables(order)
  step('brands, series and words')
  await loadVideos(order, say)
  step('videos')
  const putIndexesBack = async (client: pg.Client, table: string) => {
    for (const statement of aside.indexes.get(table) ?? []) await client.query(statement)
    step(`indexes of ${table}`)
  }
  // The text index takes about as long as everything else, so it has a core for itself.
  await Promise.all([
    putIndexesBack(other, 'video_search'),
    (async () => {
      await putIndexesBack(owner, 'videos')
      await makePlainTable(owner)
      step('plain table')
    })(),
  ])
  for (const statement of aside.references) await owner.query(statement)
  await countTotals(owner)
  await owner.query('vacuum analyze')
  await writeAllOut(order.ownerUrl)
  step('vacuumed and analyzed')
}

async function loadSmallTables({ psql, ownerUrl, videos }: LoadOrder): Promise<void> {
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

/** Else PostgreSQL would do it while something is measured. Only its superuser may ask for it. */
async function writeAllOut(ownerUrl: string): Promise<void> {
  const { href } = Object.assign(new URL(ownerUrl), { username: 'postgres', pathname: '/postgres' })
  const superuser = new pg.Client({ connectionString: href })
  await superuser.connect()
  await superuser.query('checkpoint')
  await superuser.end()
}
