import type { Transaction } from '../../../platform/database/database.ts'
import { countOneLess, countOneMore } from './total-store.ts'

interface HasStatus {
  readonly status: 'READY' | 'DISABLED'
}

/** Updates the totals after a series or a playlist was created, changed or deleted. Last in the transaction. */
export async function countRecord(
  tx: Transaction,
  accountId: string,
  kind: 'series' | 'playlist',
  before: HasStatus | null,
  after: HasStatus | null,
): Promise<void> {
  if (before === null) await countOneMore(tx, accountId, kind)
  if (after === null) await countOneLess(tx, accountId, kind)
  const [wasReady, isReady] = [before?.status === 'READY', after?.status === 'READY']
  if (isReady && !wasReady) await countOneMore(tx, accountId, `${kind}_ready`)
  if (wasReady && !isReady) await countOneLess(tx, accountId, `${kind}_ready`)
}
