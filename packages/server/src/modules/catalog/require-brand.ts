import type { Db, Transaction } from '../../platform/database/database.ts'
import { type Brand, findBrand, lockBrand } from './brand-store.ts'
import { BrandNotFound } from './errors.ts'

export async function requireBrand(db: Db, accountId: string, brandId: string): Promise<Brand> {
  const brand = await findBrand(db, accountId, brandId)
  if (brand === undefined) throw BrandNotFound()
  return brand
}

/** The same, and nobody else changes it before the transaction ends. */
export async function requireBrandLocked(
  tx: Transaction,
  accountId: string,
  brandId: string,
): Promise<Brand> {
  const brand = await lockBrand(tx, accountId, brandId)
  if (brand === undefined) throw BrandNotFound()
  return brand
}
