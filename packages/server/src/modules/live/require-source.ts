import { statusOf } from '@continuity/core/live/source-state'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { SourceNotActive, SourceNotFound } from './errors.ts'
import { findSource, type LiveSource, lockSource, shareSource } from './store.ts'

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

/** A source that a channel can show. Locked, nobody switches it off before the transaction ends. */
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
