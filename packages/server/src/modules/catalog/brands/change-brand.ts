import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { type Brand, renameBrand } from '../records/brand-store.ts'
import { recordBrandWrite } from '../records/record-write.ts'
import { requireBrandLocked } from '../records/require-brand.ts'

/** Renames a brand. The same name is not a change. */
export async function changeBrand(
  tx: Transaction,
  actor: Actor,
  brandId: string,
  { name }: { readonly name?: string },
): Promise<Brand> {
  const before = await requireBrandLocked(tx, actor.accountId, brandId, 'change')
  if (name === undefined || name === before.name) return before
  const after = await renameBrand(tx, before, name, actor.nowMs)
  await recordBrandWrite(tx, actor, { before, after })
  return after
}
