import type { Db } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import type { AuditFilter } from './audit-filter.ts'
import { type AuditEntryRow, countAudit, selectAudit } from './store.ts'

export interface AuditRange {
  /** The last entry of the page before. */
  readonly beforeId: string | undefined
  readonly limit: number
  /** Counting goes no further than this. */
  readonly countMost: number
}

export interface AuditList {
  readonly rows: readonly AuditEntryRow[]
  readonly counted: number
}

/** What was done in an account, newest first. */
export async function listAudit(
  db: Db,
  accountId: string,
  filter: AuditFilter,
  { beforeId, limit, countMost }: AuditRange,
): Promise<AuditList> {
  // Who has no id of ours never did anything.
  if (filter.userId !== undefined && !isId(filter.userId)) return { rows: [], counted: 0 }
  const rows = await selectAudit(db, accountId, filter, beforeId, limit).execute()
  const { counted } = await countAudit(db, accountId, filter, countMost).executeTakeFirstOrThrow()
  return { rows, counted }
}
