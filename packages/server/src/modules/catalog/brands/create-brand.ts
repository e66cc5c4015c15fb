import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { type Brand, insertBrand } from '../records/brand-store.ts'
import { BrandExists } from '../records/errors.ts'
import { recordBrandWrite } from '../records/record-write.ts'
import { countOneMore } from '../records/total-store.ts'

/** Creates a brand, or restores a deleted one. */
export async function createBrand(
  tx: Transaction,
  actor: Actor,
  draft: Omit<Brand, 'accountId'>,
): Promise<Brand> {
  const brand = await addBrand(tx, actor, draft)
  if (brand === undefined) throw BrandExists(draft.brandId)
  return brand
}

/** As `createBrand`, but returns undefined if the brand exists. */
export async function addBrand(
  tx: Transaction,
  actor: Actor,
  draft: Omit<Brand, 'accountId'>,
): Promise<Brand | undefined> {
  const { accountId, nowMs } = actor
  const brand = await insertBrand(tx, { ...draft, accountId }, nowMs)
  if (brand === undefined) return undefined
  await recordBrandWrite(tx, actor, { before: null, after: brand })
  await countOneMore(tx, accountId, 'brand')
  return brand
}
