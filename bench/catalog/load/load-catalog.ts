import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { rankedWordsOf, termsOf } from '@continuity/core/search/search-terms'
import { gramsOf } from '@continuity/core/search/similar-words'
import { wordsOf } from '@continuity/core/search/words'
import { migrateSchema } from '@continuity/server/owner'
import pg from 'pg'
import { LOWEST_KEY } from '../../../packages/server/src/modules/catalog/records/tier-store.ts'
import { titleOrderOf } from '../../../packages/server/src/modules/catalog/records/title-order.ts'
import { columnsOf, searchedOf } from '../../../packages/server/src/modules/catalog/records/video-document.ts'
import { addAccounts } from '../../../packages/server/src/platform/testing/an-account.ts'
import {
  BRANDS,
  brandIdOf,
  type CatalogPlan,
  END_MS,
  planCatalog,
  START_MS,
} from '../generate/catalog-plan.ts'
import { seriesTitleOf } from '../generate/make-texts.ts'
import { type MadeVideo, makeVideo } from '../generate/make-video.ts'
import { makeVocabulary, type Vocabulary } from '../generate/vocabulary.ts'
import { type AccountSize, accountsOf, BIG_ACCOUNT, SMALL_ACCOUNT, TIER_VIDEOS, tiersOf } from './accounts.ts'
import { type CopyRow, startCopy } from './copy-rows.ts'
import { makePlainTable } from './plain-table.ts'

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

/** Indexes and references that are dropped while a table is filled, as statements that recreate them. */
interface DroppedIndexes {
  /** By table. */
  readonly indexes: ReadonlyMap<string, readonly string[]>
  readonly references: readonly string[]
}

/**
 * Drops all indexes but primary keys, and all references: maintaining them row by row would take most of the time.
 */
async function dropIndexes(owner: pg.Client, tables: readonly string[]): Promise<DroppedIndexes> {
  const references = await owner.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])`,
    [tables],
  )
  for (const { table, name } of references.rows)
    await owner.query(`alter table ${table} drop constraint "${name}"`)
  const indexes = await owner.query<{ table: string; name: string; definition: string }>(
    `select tablename as table, indexname as name, indexdef as definition from pg_indexes
      where schemaname = 'public' and tablename = any($1)
        and not exists (select from pg_constraint where conindid = format('%I', indexname)::regclass)`,
    [tables],
  )
  for (const { name } of indexes.rows) await owner.query(`drop index "${name}"`)
  return {
    indexes: new Map(
      tables.map((table) => [
        table,
        indexes.rows.filter((row) => row.table === table).map(({ definition }) => definition),
      ]),
    ),
    references: references.rows.map(
      ({ table, name, definition }) => `alter table ${table} add constraint "${name}" ${definition}`,
    ),
  }
}

const script = join(import.meta.dirname, 'load-part.ts')

/** Making a video takes about as long as inserting it, so there is a process for every core. */
const PARTS = Math.min(4, availableParallelism())

const LOG_EVERY_MS = 5_000

/** Fills `videos` and `video_search`. */
async function loadVideos(
  options: Pick<PartOptions, 'psql' | 'ownerUrl' | 'videos'>,
  log: (line: string) => void,
): Promise<void> {
  const progress = { rows: 0, loggedMs: performance.now(), startMs: performance.now() }
  const count = ({ rows }: { readonly rows: number }) => {
    progress.rows += rows
    const nowMs = performance.now()
    if (nowMs - progress.loggedMs < LOG_EVERY_MS && progress.rows < options.videos) return
    progress.loggedMs = nowMs
    const perSecond = (progress.rows * 1_000) / (nowMs - progress.startMs)
    log(`loaded ${progress.rows} of ${options.videos} videos, ${Math.round(perSecond)} a second`)
  }
  await Promise.all(
    Array.from({ length: PARTS }, (_, part) => runPart({ ...options, part, parts: PARTS }, count)),
  )
}

async function runPart(
  options: PartOptions,
  count: (progress: { readonly rows: number }) => void,
): Promise<void> {
  const child = fork(script)
  child.on('message', count)
  child.send(options)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`a part of the load exited with ${code}`)
}

/** Makes and copies every n-th range of videos, so that all parts together write them nearly in order. */
interface PartOptions {
  readonly psql: string
  readonly ownerUrl: string
  readonly videos: number
  readonly part: number
  readonly parts: number
}

const STRETCH = 500

process.once('message', (options: PartOptions) => {
  loadPart(options).then(
    () => process.disconnect(),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})

async function loadPart({ psql, ownerUrl, videos, part, parts }: PartOptions): Promise<void> {
  const vocabulary = makeVocabulary()
  const videoCopy = startCopy(psql, ownerUrl, 'videos')
  const searchCopy = startCopy(psql, ownerUrl, 'video_search')
  for (const account of accountsOf(videos)) {
    const plan = planCatalog(vocabulary, account)
    for (let from = part * STRETCH; from < plan.videos; from += parts * STRETCH) {
      const count = Math.min(STRETCH, plan.videos - from)
      const rows = Array.from({ length: count }, (_, i) => {
        const tier = account.firstTier + Math.floor((from + i) / TIER_VIDEOS)
        return rowsOf(account.accountId, tier, makeVideo(vocabulary, plan, from + i))
      })
      await videoCopy.write(rows.map(({ video }) => video))
      await searchCopy.write(rows.map(({ search }) => search))
      process.send?.({ rows: count })
    }
  }
  await Promise.all([videoCopy.end(), searchCopy.end()])
}

/** The rows that the server would write for a video. */
function rowsOf(
  accountId: string,
  tier: number,
  { record, media, seriesTitle }: MadeVideo,
): { readonly video: CopyRow; readonly search: CopyRow } {
  const columns = columnsOf(record, media)
  const searched = searchedOf(record, seriesTitle)
  const key = { account_id: accountId, video_id: record.video_id }
  return {
    video: { ...key, version: 1, deleted_ms: null, ...columns },
    search: {
      ...key,
      published_ms: columns.published_ms,
      available_ms: columns.available_ms,
      expired_ms: columns.expired_ms,
      duration: columns.duration,
      is_ready: record.status === 'READY',
      tier,
      terms: termsOf(searched, tier),
      words: rankedWordsOf(searched),
    },
  }
}

/** Rows of all tables but videos, in the order of their references. */
function* smallTables(
  vocabulary: Vocabulary,
  plan: CatalogPlan,
  account: AccountSize,
): Generator<readonly [table: string, rows: CopyRow[]]> {
  const { accountId } = plan
  // No search in the small account has typos, and the grams of all words take seconds to load.
  const known = accountId === BIG_ACCOUNT ? vocabulary.words : []
  const words = known.flatMap((word) => wordsOf(word)).filter((word) => word.length >= 3)
  yield ['brands', Array.from({ length: BRANDS }, (_, n) => brandRow(accountId, n))]
  yield ['series', seriesRows(vocabulary, plan)]
  yield ['search_tiers', tierRows(vocabulary, plan, account)]
  yield ['catalog_words', words.map((word) => ({ account_id: accountId, word }))]
  yield [
    'catalog_word_grams',
    words.flatMap((word) => gramsOf(word).map((gram) => ({ account_id: accountId, gram, word }))),
  ]
}

/** Computes the counts that the server maintains, and sets the sequence of the tiers. */
async function countTotals(owner: pg.Client): Promise<void> {
  await owner.query(`
    insert into catalog_totals (account_id, kind, total)
    select account_id, kind, count(*) from (
      select account_id, 'brand' as kind from brands
      union all select account_id, unnest(array['series', 'series_ready']) from series
      union all select account_id, 'video' from videos
      union all select account_id, 'video_open' from videos
       where status = 'READY' and available_ms < 0 and expired_ms = 8640000000000000
    ) as counted group by account_id, kind`)
  await owner.query(
    "select setval(pg_get_serial_sequence('search_tiers', 'tier'), (select max(tier) from search_tiers))",
  )
}

function brandRow(accountId: string, n: number): CopyRow {
  const name = `Brand ${n}`
  return {
    account_id: accountId,
    brand_id: brandIdOf(n),
    name,
    name_order: titleOrderOf(name),
    created_ms: START_MS,
    updated_ms: START_MS,
  }
}

const seriesRows = (vocabulary: Vocabulary, { accountId, series }: CatalogPlan): CopyRow[] =>
  series.map((one) => {
    const title = seriesTitleOf(vocabulary, one)
    return {
      account_id: accountId,
      series_id: one.seriesId,
      title,
      title_order: titleOrderOf(title),
      description: '',
      brand_id: one.brandId,
      images: '[]',
      status: 'READY',
      video_count: one.videos,
      season_count: Math.ceil(one.videos / one.perSeason),
      created_ms: one.createdMs,
      updated_ms: one.createdMs,
    }
  })

function tierRows(vocabulary: Vocabulary, plan: CatalogPlan, account: AccountSize): CopyRow[] {
  return Array.from({ length: tiersOf(account) }, (_, i) => {
    const { record } = makeVideo(vocabulary, plan, i * TIER_VIDEOS)
    const from = { publishedMs: Date.parse(record.date_published ?? ''), videoId: record.video_id }
    const { publishedMs, videoId } = i === 0 ? LOWEST_KEY : from
    return {
      account_id: account.accountId,
      from_ms: publishedMs,
      from_id: videoId,
      tier: account.firstTier + i,
      videos: Math.min(TIER_VIDEOS, plan.videos - i * TIER_VIDEOS),
    }
  })
}
