import { gramsOf } from '@continuity/core/search/similar-words'
import { wordsOf } from '@continuity/core/search/words'
import type pg from 'pg'
import { LOWEST_KEY } from '../../../packages/server/src/modules/catalog/records/tier-store.ts'
import { titleOrderOf } from '../../../packages/server/src/modules/catalog/records/title-order.ts'
import { BRANDS, brandIdOf, type CatalogPlan, START_MS } from '../generate/catalog-plan.ts'
import { seriesTitleOf } from '../generate/make-texts.ts'
import { makeVideo } from '../generate/make-video.ts'
import type { Vocabulary } from '../generate/vocabulary.ts'
import { type AccountSize, BIG_ACCOUNT, TIER_VIDEOS, tiersOf } from './accounts.ts'
import type { CopyRow } from './copy-rows.ts'

/** Rows of all tables but videos, in the order of their references. */
export function* smallTables(
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
export async function countTotals(owner: pg.Client): Promise<void> {
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
