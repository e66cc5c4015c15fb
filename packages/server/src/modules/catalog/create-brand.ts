import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { type Brand, insertBrand } from './brand-store.ts'
import { BrandExists } from './errors.ts'
import { recordBrandWrite } from './record-write.ts'
import { countOneMore } from './total-store.ts'

/** Makes a brand. One that was deleted is the same brand again. */
export async function createBrand(
  tx: Transaction,
  actor: Actor,
  draft: Omit<Brand, 'accountId'>,
): Promise<Brand> {
  const brand = await addBrand(tx, actor, draft)
  if (brand === undefined) throw BrandExists(draft.brandId)
  return brand
}

/** The same, but undefined where there is one. */
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
