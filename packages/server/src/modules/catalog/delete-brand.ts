import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { markBrandDeleted } from './brand-store.ts'
import { recordBrandWrite } from './record-write.ts'
import { requireBrandLocked } from './require-brand.ts'
import { countOneLess } from './total-store.ts'

/** Deletes a brand. Series and videos that name it go on naming it; it comes back when it is made again. */
export async function deleteBrand(tx: Transaction, actor: Actor, brandId: string): Promise<void> {
  const before = await requireBrandLocked(tx, actor.accountId, brandId, 'delete')
  await markBrandDeleted(tx, before, actor.nowMs)
  await recordBrandWrite(tx, actor, { before, after: null })
  await countOneLess(tx, actor.accountId, 'brand')
}
