import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import { pageLimit } from '../../platform/database/page-limit.ts'
import type { LockFor } from './lock-for.ts'
import { titleOrderOf } from './title-order.ts'
import { totalOf } from './total-store.ts'

export interface Brand {
  readonly accountId: string
  /** The partner's own. */
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

/** What the list goes by. */
export interface BrandPlace {
  readonly nameOrder: string
  readonly brandId: string
}

export interface ListedBrand extends BrandPlace {
  readonly name: string
}

export interface BrandList {
  /** By name, whatever its case and accents, then by id. */
  readonly rows: readonly ListedBrand[]
  readonly total: number
}

/** The list from after a place on. */
export async function listBrands(
  db: Db,
  accountId: string,
  after: BrandPlace,
  limit: number,
): Promise<BrandList> {
  const { rows } = await selectBrandList(accountId, after, limit).execute(db)
  const listed = rows.flatMap((row) => (row.brandId === null ? [] : [listedOf(row)]))
  return { rows: listed, total: rows[0]?.total ?? 0 }
}

/** One statement, so that rows and total are of one moment. It gives a row for the total where it has no other. */
export const selectBrandList = (accountId: string, after: BrandPlace, limit: number) =>
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

/** Whether there is such a brand, which then nobody deletes before the transaction ends. */
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

/** Makes a brand, or brings a deleted one back under its new name. Undefined where there is one. */
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

/** Of a brand that is locked. */
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

/** Of a brand that is locked. Its row stays, for videos name it. */
export async function markBrandDeleted(tx: Transaction, brand: Brand, nowMs: number): Promise<void> {
  await ofLocked(tx, brand).set({ deleted_ms: nowMs, updated_ms: nowMs }).execute()
}

const ofLocked = (tx: Transaction, { accountId, brandId }: Brand) =>
  on(tx).updateTable('brands').where('account_id', '=', accountId).where('brand_id', '=', brandId)

const nameColumns = (name: string) => ({ name, name_order: titleOrderOf(name) })
