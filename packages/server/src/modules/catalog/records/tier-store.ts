import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../../platform/database/database.ts'

/** The sort key of a video within its account: its date, then its id. */
export interface TierKey {
  readonly publishedMs: number
  readonly videoId: string
}

/** A range of an account's videos: from a key to the start of the next tier. */
export interface Tier {
  readonly tier: number
  readonly fromMs: number
  readonly fromId: string
  readonly videos: number
  /** Tiers whose videos are being moved here. */
  readonly moving: readonly number[]
}

interface TierRow {
  account_id: string
  from_ms: number
  from_id: string
  tier: number
  videos: number
  moving: number[]
}

const on = tables<{ search_tiers: Omit<TierRow, 'tier'> & { tier?: number } }>()

const columns = ['tier', 'from_ms as fromMs', 'from_id as fromId', 'videos', 'moving'] as const

/** Below every key that a video can have. */
export const LOWEST_KEY: TierKey = {
  publishedMs: -9_000_000_000_000_000,
  videoId: '00000000-0000-0000-0000-000000000000',
}
/** Above every key. */
export const HIGHEST_KEY: TierKey = {
  publishedMs: 9_000_000_000_000_000,
  videoId: '00000000-0000-0000-0000-000000000000',
}

/** The tier that a key belongs to; locks it against divisions and counts until the transaction ends. */
export async function lockTierOf(tx: Transaction, accountId: string, key: TierKey): Promise<Tier> {
  const found = await findTierLocked(tx, accountId, key)
  if (found !== undefined) return found
  await addTier(tx, accountId, LOWEST_KEY, { videos: 0, moving: [] })
  const first = await findTierLocked(tx, accountId, key)
  if (first === undefined) throw new Error('an account has no tier')
  return first
}

async function findTierLocked(tx: Transaction, accountId: string, key: TierKey): Promise<Tier | undefined> {
  for (;;) {
    const row = await tierOf(tx, accountId, key).forNoKeyUpdate().executeTakeFirst()
    // The previous owner of the lock may have divided the tier, and the key may be in the new part.
    const again = await tierOf(tx, accountId, key).executeTakeFirst()
    if (row?.tier === again?.tier) return row as Tier | undefined
  }
}

const tierOf = (tx: Transaction, accountId: string, { publishedMs, videoId }: TierKey) =>
  on(tx)
    .selectFrom('search_tiers')
    .select(columns)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(from_ms, from_id) <= (${publishedMs}::bigint, ${videoId}::uuid)`)
    .orderBy('from_ms', 'desc')
    .orderBy('from_id', 'desc')
    .limit(1)

/** The start of the next tier, or a key above all others. */
export async function findTierEnd(
  db: Db,
  accountId: string,
  { fromMs, fromId }: Pick<Tier, 'fromMs' | 'fromId'>,
): Promise<TierKey> {
  const row = await on(db)
    .selectFrom('search_tiers')
    .select(['from_ms as publishedMs', 'from_id as videoId'])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(from_ms, from_id) > (${fromMs}::bigint, ${fromId}::uuid)`)
    .orderBy('from_ms')
    .orderBy('from_id')
    .limit(1)
    .executeTakeFirst()
  return row ?? HIGHEST_KEY
}

/** Does nothing if a tier begins at this key already. */
export async function addTier(
  tx: Transaction,
  accountId: string,
  { publishedMs, videoId }: TierKey,
  { videos, moving }: Pick<Tier, 'videos' | 'moving'>,
): Promise<void> {
  await on(tx)
    .insertInto('search_tiers')
    .values({ account_id: accountId, from_ms: publishedMs, from_id: videoId, videos, moving: [...moving] })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The tier must be locked. */
export async function countInTier(
  tx: Transaction,
  accountId: string,
  { fromMs, fromId }: Tier,
  more: number,
): Promise<void> {
  await ofTier(tx, accountId, { fromMs, fromId })
    .set(({ eb }) => ({ videos: eb('videos', '+', more) }))
    .execute()
}

/** The tiers to which videos are still being moved. */
export async function listUnsettledTiers(db: Db, accountId: string): Promise<readonly Tier[]> {
  return on(db)
    .selectFrom('search_tiers')
    .select(columns)
    .where('account_id', '=', accountId)
    .where(sql<boolean>`moving <> '{}'`)
    .orderBy('from_ms')
    .execute() as Promise<Tier[]>
}

/** All videos of the tier have its number. */
export async function markTierSettled(
  tx: Transaction,
  accountId: string,
  tier: Pick<Tier, 'fromMs' | 'fromId'>,
): Promise<void> {
  await ofTier(tx, accountId, tier).set({ moving: [] }).execute()
}

const ofTier = (tx: Transaction, accountId: string, { fromMs, fromId }: Pick<Tier, 'fromMs' | 'fromId'>) =>
  on(tx)
    .updateTable('search_tiers')
    .where('account_id', '=', accountId)
    .where('from_ms', '=', fromMs)
    .where('from_id', '=', fromId)

/**
 * The tiers of an account in batches, newest first: one, one, two, four and so on.
 * For a common word the first is enough; for a rare one, all are searched in a few
 * calls. At most twice as many rows are read as are needed.
 *
 * Each batch has the tier numbers that its videos may have, and its bounds. Tiers
 * outside of the times, or not before a key, are omitted.
 */
export const selectBatches = (
  accountId: string,
  { least, most }: { readonly least: number; readonly most: number },
  before: TierKey,
) => sql`
  select batch, array_agg(distinct number) as tiers,
         (array_agg(from_ms order by ordinal desc))[1] as from_ms,
         (array_agg(from_id order by ordinal desc))[1] as from_id,
         (array_agg(case when is_cut then ${before.publishedMs}::bigint else to_ms end order by ordinal))[1] as to_ms,
         (array_agg(case when is_cut then ${before.videoId}::uuid else to_id end order by ordinal))[1] as to_id
    from (
      select from_ms, from_id, to_ms, to_id, numbers, row_number() over newest as ordinal,
             ceil(ln(row_number() over newest::float8) / ln(2::float8)) as batch,
             (to_ms, to_id) > (${before.publishedMs}::bigint, ${before.videoId}::uuid) as is_cut
        from (
          select from_ms, from_id, tier || moving as numbers,
                 coalesce(lag(from_ms) over newest, ${HIGHEST_KEY.publishedMs}) as to_ms,
                 coalesce(lag(from_id) over newest, ${HIGHEST_KEY.videoId}) as to_id
            from search_tiers where account_id = ${accountId}
          window newest as (order by from_ms desc, from_id desc)
        ) as tiers
       where to_ms >= ${least}::bigint and from_ms <= ${most}::bigint
         and (from_ms, from_id) < (${before.publishedMs}::bigint, ${before.videoId}::uuid)
      window newest as (order by from_ms desc, from_id desc)
    ) as t, unnest(numbers) as number
   group by batch order by batch`
