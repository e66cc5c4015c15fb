import { statusOf } from '@continuity/core/live/source-state'
import { isId } from '../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { SourceNotActive, SourceNotFound } from './errors.ts'
import { findSource, type LiveSource, lockSource, shareSource } from './store.ts'

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

/** A source that a channel can show. With the lock it cannot be deactivated before the transaction ends. */
export async function requireActiveSource(
  db: Db,
  accountId: string,
  sourceId: string,
  lock?: 'locked',
): Promise<LiveSource> {
  const find = lock === undefined ? findSource : shareSource
  const source = isId(sourceId) ? await find(db as Transaction, accountId, sourceId) : undefined
  if (source === undefined) throw SourceNotFound()
  if (source.state !== 'ACTIVE') throw SourceNotActive(statusOf(source.state))
  return source
}
