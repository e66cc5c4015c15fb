import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { recordAudit } from '../audit/index.ts'
import type { Brand } from './brand-store.ts'
import { toWireBrand } from './wire.ts'

/** Who wrote a brand. Nobody follows brands, so there is no event. */
export async function recordBrandWrite(
  tx: Transaction,
  actor: Actor,
  { before, after }: { readonly before: Brand | null; readonly after: Brand | null },
): Promise<void> {
  const verb = before === null ? 'create' : after === null ? 'delete' : 'change'
  await recordAudit(tx, actor, {
    action: `brand.${verb}`,
    subjectType: 'brand',
    subjectId: (after ?? before)?.brandId ?? '',
    before: before === null ? null : toWireBrand(before),
    after: after === null ? null : toWireBrand(after),
  })
}
