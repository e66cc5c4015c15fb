import { type RawBuilder, sql } from 'kysely'
import { type Transaction, tables } from '../../platform/database/database.ts'

/** Beside all records of a kind, those that everybody may see are counted apart. */
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

/** How many records of a kind there are, as a part of the statement that lists some of them. */
export const totalOf = (accountId: string, kind: CatalogKind): RawBuilder<number> => sql`
  coalesce((select total from catalog_totals where account_id = ${accountId} and kind = ${kind}), 0)`

/**
 * Counts a record that came. Last in the transaction that adds it: until that
 * ends, everybody else who adds or deletes one of this kind waits.
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

/** The same of a record that went. */
export async function countOneLess(tx: Transaction, accountId: string, kind: CatalogKind): Promise<void> {
  await on(tx)
    .updateTable('catalog_totals')
    .set(({ eb }) => ({ total: eb('total', '-', 1) }))
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .execute()
}
