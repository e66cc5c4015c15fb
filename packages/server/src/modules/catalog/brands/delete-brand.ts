import type { Actor } from '../../../platform/actor.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { markBrandDeleted } from '../records/brand-store.ts'
import { recordBrandWrite } from '../records/record-write.ts'
import { requireBrandLocked } from '../records/require-brand.ts'
import { countOneLess } from '../records/total-store.ts'

/** Deletes a brand. Series and videos keep their reference to it; creating it again restores it. */
export async function deleteBrand(tx: Transaction, actor: Actor, brandId: string): Promise<void> {
  const before = await requireBrandLocked(tx, actor.accountId, brandId, 'delete')
  await markBrandDeleted(tx, before, actor.nowMs)
  await recordBrandWrite(tx, actor, { before, after: null })
  await countOneLess(tx, actor.accountId, 'brand')
}
