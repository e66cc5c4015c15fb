import { type RawBuilder, sql } from 'kysely'
import { type Transaction, tables } from '../../../platform/database/database.ts'

/** Public records are counted separately. */
export type CatalogKind =
  | 'brand'
  | 'series'
  | 'series_ready'
  | 'playlist'
  | 'playlist_ready'
  | 'video'
  | 'video_open'

interface TotalRow {
  account_id: string
  kind: CatalogKind
  total: number
}

const on = tables<{ catalog_totals: TotalRow }>()

/** The number of records of a kind, as part of the statement that lists them. */
export const totalOf = (accountId: string, kind: CatalogKind): RawBuilder<number> => sql`
  coalesce((select total from catalog_totals where account_id = ${accountId} and kind = ${kind}), 0)`

/**
 * Counts a new record. Last in its transaction: until that ends, other writes that
 * add or delete a record of this kind wait.
 */
export async function countOneMore(tx: Transaction, accountId: string, kind: CatalogKind): Promise<void> {
  await on(tx)
    .insertInto('catalog_totals')
    .values({ account_id: accountId, kind, total: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'kind'])
        .doUpdateSet(({ eb }) => ({ total: eb('catalog_totals.total', '+', 1) })),
    )
    .execute()
}

/** Counts a deleted record, as `countOneMore`. */
export async function countOneLess(tx: Transaction, accountId: string, kind: CatalogKind): Promise<void> {
  await on(tx)
    .updateTable('catalog_totals')
    .set(({ eb }) => ({ total: eb('total', '-', 1) }))
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .execute()
}
