import type { Actor } from '../../platform/actor.ts'
import { lowestIdAt } from '../../platform/crypto/ids.ts'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import type { AuditFilter } from './audit-filter.ts'
import type { AuditRecord } from './audit-record.ts'

interface AuditEntryTable {
  account_id: string
  audit_id: string
  at_ms: number
  user_id: string | null
  action: string
  subject_type: string
  subject_id: string
  before: unknown
  after: unknown
  request_id: string | null
}

/** An entry as it is read; its account is the reader's. */
export type AuditEntryRow = Omit<AuditEntryTable, 'account_id'>

const on = tables<{ audit_entries: AuditEntryTable }>()

export type NewAuditEntry = Actor & AuditRecord & { readonly auditId: string }

export const insertAuditEntry = (tx: Transaction, entry: NewAuditEntry) =>
  on(tx)
    .insertInto('audit_entries')
    .values({
      account_id: entry.accountId,
      audit_id: entry.auditId,
      at_ms: entry.nowMs,
      user_id: entry.userId,
      action: entry.action,
      subject_type: entry.subjectType,
      subject_id: entry.subjectId,
      before: jsonOf(entry.before),
      after: jsonOf(entry.after),
      request_id: entry.requestId,
    })

/** As text, because the driver would send a JavaScript array as a PostgreSQL array. */
const jsonOf = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value))

/** Newest first, after `beforeId` if given. */
export function selectAudit(
  db: Db,
  accountId: string,
  filter: AuditFilter,
  beforeId: string | undefined,
  limit: number,
) {
  return matching(db, accountId, filter)
    .$if(beforeId !== undefined, (query) => query.where('audit_id', '<', beforeId!))
    .select(['audit_id', 'at_ms', 'user_id', 'action', 'subject_type', 'subject_id', 'before', 'after'])
    .select('request_id')
    .orderBy('audit_id', 'desc')
    .limit(limit)
}

/**
 * The number of entries, counted up to `most`. Sorted, so that the planner uses an index instead of
 * scanning the rows of all accounts.
 */
export function countAudit(db: Db, accountId: string, filter: AuditFilter, most: number) {
  const found = matching(db, accountId, filter).select('audit_id').orderBy('audit_id', 'desc').limit(most)
  return db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('counted'))
}

/** Ids are sorted by time, so that the indexes by user and by subject also serve time bounds. */
function matching(db: Db, accountId: string, { fromMs, toMs, userId, subjectId }: AuditFilter) {
  return on(db)
    .selectFrom('audit_entries')
    .where('account_id', '=', accountId)
    .$if(fromMs !== undefined, (query) => query.where('audit_id', '>=', lowestIdAt(Math.max(0, fromMs!))))
    .$if(toMs !== undefined, (query) => query.where('audit_id', '<', lowestIdAt(Math.max(0, toMs!))))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .$if(subjectId !== undefined, (query) => query.where('subject_id', '=', subjectId!))
}
