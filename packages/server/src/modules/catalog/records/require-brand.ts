import type { Db, Transaction } from '../../../platform/database/database.ts'
import { type Brand, findBrand, lockBrand, lockNamedBrand } from './brand-store.ts'
import { BrandNotFound, UnknownBrand } from './errors.ts'
import type { LockFor } from './lock-for.ts'

export async function requireBrand(db: Db, accountId: string, brandId: string): Promise<Brand> {
  const brand = await findBrand(db, accountId, brandId)
  if (brand === undefined) throw BrandNotFound()
  return brand
}

/** As `requireBrand`, and locks it until the transaction ends. */
export async function requireBrandLocked(
  tx: Transaction,
  accountId: string,
  brandId: string,
  lockFor: LockFor,
): Promise<Brand> {
  const brand = await lockBrand(tx, accountId, brandId, lockFor)
  if (brand === undefined) throw BrandNotFound()
  return brand
}

/** Throws if the brand that a field references does not exist; locks it against deletion until the transaction ends. */
export async function requireNamedBrand(
  tx: Transaction,
  accountId: string,
  brandId: string | null | undefined,
  field: string,
): Promise<void> {
  if (brandId === null || brandId === undefined) return
  if (!(await lockNamedBrand(tx, accountId, brandId))) throw UnknownBrand(field)
}
