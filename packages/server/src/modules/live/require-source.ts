import type { Db, Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { SourceNotFound } from './errors.ts'
import { findSource, type LiveSource, lockSource } from './store.ts'

/** Text that cannot be an id, a deleted source and another account's are all not there. */
export async function requireSource(db: Db, accountId: string, sourceId: string): Promise<LiveSource> {
  const source = isId(sourceId) ? await findSource(db, accountId, sourceId) : undefined
  if (source === undefined) throw SourceNotFound()
  return source
}

/** The same, and the source stays as it is until the transaction ends. */
export async function requireSourceLocked(
  tx: Transaction,
  accountId: string,
  sourceId: string,
): Promise<LiveSource> {
  const source = isId(sourceId) ? await lockSource(tx, accountId, sourceId) : undefined
  if (source === undefined) throw SourceNotFound()
  return source
}
