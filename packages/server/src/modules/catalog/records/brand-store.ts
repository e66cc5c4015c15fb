import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../../platform/database/database.ts'
import { pageLimit } from '../../../platform/database/page-limit.ts'
import type { LockFor } from './lock-for.ts'
import { titleOrderOf } from './title-order.ts'
import { totalOf } from './total-store.ts'

export interface Brand {
  readonly accountId: string
  /** Chosen by the partner. */
  readonly brandId: string
  readonly name: string
}

interface BrandRow {
  account_id: string
  brand_id: string
  name: string
  name_order: string
  created_ms: number
  updated_ms: number
  deleted_ms: number | null
}

const on = tables<{ brands: BrandRow }>()

const columns = ['account_id as accountId', 'brand_id as brandId', 'name'] as const

/** The sort key of the list. */
export interface BrandKey {
  readonly nameOrder: string
  readonly brandId: string
}

export interface ListedBrand extends BrandKey {
  readonly name: string
}

export interface BrandList {
  /** Sorted by name, ignoring case and accents, then by id. */
  readonly rows: readonly ListedBrand[]
  readonly total: number
}

/** The list after a key. */
export async function listBrands(
  db: Db,
  accountId: string,
  after: BrandKey,
  limit: number,
): Promise<BrandList> {
  const { rows } = await selectBrandList(accountId, after, limit).execute(db)
  const listed = rows.flatMap((row) => (row.brandId === null ? [] : [listedOf(row)]))
  return { rows: listed, total: rows[0]?.total ?? 0 }
}

/** One statement, so that rows and total are consistent. It returns one row with the total if the list is empty. */
export const selectBrandList = (accountId: string, after: BrandKey, limit: number) =>
  sql<(ListedBrand | NoBrand) & { readonly total: number }>`
    with listed as (
      select brand_id, name, name_order from brands
       where account_id = ${accountId} and deleted_ms is null
         and (name_order, brand_id) > (${after.nameOrder}, ${after.brandId})
       order by name_order, brand_id limit ${pageLimit(limit)}
    )
    select ${totalOf(accountId, 'brand')} as total, brand_id as "brandId", name, name_order as "nameOrder"
      from (values (1)) as always left join listed on true
     order by name_order, brand_id`

interface NoBrand {
  readonly brandId: null
}

const listedOf = ({ brandId, name, nameOrder }: ListedBrand): ListedBrand => ({ brandId, name, nameOrder })

export async function findBrand(db: Db, accountId: string, brandId: string): Promise<Brand | undefined> {
  return present(db, accountId, brandId).executeTakeFirst()
}

export async function lockBrand(
  tx: Transaction,
  accountId: string,
  brandId: string,
  lockFor: LockFor,
): Promise<Brand | undefined> {
  const query = present(tx, accountId, brandId)
  return (lockFor === 'delete' ? query.forUpdate() : query.forNoKeyUpdate()).executeTakeFirst()
}

/** Whether the brand exists; locks it against deletion until the transaction ends. */
export async function lockNamedBrand(tx: Transaction, accountId: string, brandId: string): Promise<boolean> {
  return (await present(tx, accountId, brandId).forKeyShare().executeTakeFirst()) !== undefined
}

const present = (db: Db, accountId: string, brandId: string) =>
  on(db)
    .selectFrom('brands')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('brand_id', '=', brandId)
    .where('deleted_ms', 'is', null)

/** Inserts a brand, or restores a deleted one with the new name. Undefined if it exists. */
export async function insertBrand(tx: Transaction, brand: Brand, nowMs: number): Promise<Brand | undefined> {
  const fresh = { ...nameColumns(brand.name), created_ms: nowMs, updated_ms: nowMs, deleted_ms: null }
  return on(tx)
    .insertInto('brands')
    .values({ account_id: brand.accountId, brand_id: brand.brandId, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'brand_id'])
        .doUpdateSet(fresh)
        .where('brands.deleted_ms', 'is not', null),
    )
    .returning(columns)
    .executeTakeFirst()
}

/** The brand must be locked. */
export async function renameBrand(
  tx: Transaction,
  brand: Brand,
  name: string,
  nowMs: number,
): Promise<Brand> {
  return ofLocked(tx, brand)
    .set({ ...nameColumns(name), updated_ms: nowMs })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The brand must be locked. Its row stays, because videos reference it. */
export async function markBrandDeleted(tx: Transaction, brand: Brand, nowMs: number): Promise<void> {
  await ofLocked(tx, brand).set({ deleted_ms: nowMs, updated_ms: nowMs }).execute()
}

const ofLocked = (tx: Transaction, { accountId, brandId }: Brand) =>
  on(tx).updateTable('brands').where('account_id', '=', accountId).where('brand_id', '=', brandId)

const nameColumns = (name: string) => ({ name, name_order: titleOrderOf(name) })
