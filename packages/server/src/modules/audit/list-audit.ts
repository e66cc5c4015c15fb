import { isId } from '../../platform/crypto/ids.ts'
import type { Db } from '../../platform/database/database.ts'
import type { AuditFilter } from './audit-filter.ts'
import { type AuditEntryRow, countAudit, selectAudit } from './store.ts'

export interface AuditRange {
  /** The last entry of the page before. */
  readonly beforeId: string | undefined
  readonly limit: number
  /** The count stops here. */
  readonly countMost: number
}

export interface AuditList {
  readonly rows: readonly AuditEntryRow[]
  readonly counted: number
}

/** The entries of an account, newest first. */
export async function listAudit(
  db: Db,
  accountId: string,
  filter: AuditFilter,
  { beforeId, limit, countMost }: AuditRange,
): Promise<AuditList> {
  // A malformed user id matches no entry.
  if (filter.userId !== undefined && !isId(filter.userId)) return { rows: [], counted: 0 }
  const rows = await selectAudit(db, accountId, filter, beforeId, limit).execute()
  const { counted } = await countAudit(db, accountId, filter, countMost).executeTakeFirstOrThrow()
  return { rows, counted }
}
