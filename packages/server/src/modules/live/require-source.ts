import { statusOf } from '@continuity/core/live/source-state'
import { isId } from '../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { SourceNotActive, SourceNotFound } from './errors.ts'
import { findSource, type LiveSource, lockSource, selectStateShared } from './store.ts'

/** Throws 404 for a malformed id, a deleted source and one of another account. */
export async function requireSource(db: Db, accountId: string, sourceId: string): Promise<LiveSource> {
  const source = isId(sourceId) ? await findSource(db, accountId, sourceId) : undefined
  if (source === undefined) throw SourceNotFound()
  return source
}

/** The same, locked. */
export async function requireSourceLocked(
  tx: Transaction,
  accountId: string,
  sourceId: string,
): Promise<LiveSource> {
  const source = isId(sourceId) ? await lockSource(tx, accountId, sourceId) : undefined
  if (source === undefined) throw SourceNotFound()
  return source
}

/** A source that a channel can show. */
export async function requireActiveSource(db: Db, accountId: string, sourceId: string): Promise<LiveSource> {
  const source = await requireSource(db, accountId, sourceId)
  requireActive(source)
  return source
}

/**
 * Locks a source that a channel is to show: it cannot be deactivated before the transaction ends. The statement is executed
 * with others, and its rows are checked.
 */
export const lockActiveSource = (tx: Transaction, accountId: string, sourceId: string) => ({
  statement: selectStateShared(tx, accountId, sourceId),
  check: (rows: readonly Pick<LiveSource, 'state'>[]) => {
    if (rows[0] === undefined) throw SourceNotFound()
    requireActive(rows[0])
  },
})

function requireActive({ state }: Pick<LiveSource, 'state'>): void {
  if (state !== 'ACTIVE') throw SourceNotActive(statusOf(state))
}
