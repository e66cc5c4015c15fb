import { sql } from 'kysely'
import { type Transaction, tables } from '../../../platform/database/database.ts'

/** A row of the search index. */
export interface SearchRow {
  readonly accountId: string
  readonly videoId: string
  readonly publishedMs: number
  readonly availableMs: number
  readonly expiredMs: number
  readonly duration: number
  readonly isReady: boolean
  readonly tier: number
  readonly terms: string
  readonly words: string
}

interface StoredSearchRow {
  account_id: string
  video_id: string
  published_ms: number
  available_ms: number
  expired_ms: number
  duration: number
  is_ready: boolean
  tier: number
  terms: string
  words: string
}

const on = tables<{ video_search: StoredSearchRow }>()

export async function saveSearchRow(tx: Transaction, row: SearchRow): Promise<void> {
  const values = {
    published_ms: row.publishedMs,
    available_ms: row.availableMs,
    expired_ms: row.expiredMs,
    duration: row.duration,
    is_ready: row.isReady,
    tier: row.tier,
    terms: row.terms,
    words: row.words,
  }
  await on(tx)
    .insertInto('video_search')
    .values({ account_id: row.accountId, video_id: row.videoId, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'video_id']).doUpdateSet(values))
    .execute()
}

export async function removeSearchRow(tx: Transaction, accountId: string, videoId: string): Promise<void> {
  await on(tx)
    .deleteFrom('video_search')
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .execute()
}

/**
 * Gives these videos the number of another tier. Each term begins with the number, and
 * no term contains a quote, so a quote is always followed by the number.
 */
export async function moveToTier(
  tx: Transaction,
  accountId: string,
  videoIds: readonly string[],
  tier: number,
): Promise<void> {
  await sql`
    update video_search
       set tier = ${tier}::integer,
           terms = replace(terms::text, '''' || tier || '/', '''' || ${tier}::integer || '/')::tsvector
     where account_id = ${accountId} and video_id = any(${[...videoIds]}::uuid[]) and tier <> ${tier}::integer`.execute(
    tx,
  )
}
