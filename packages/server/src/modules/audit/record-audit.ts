import type { Actor } from '../../platform/actor.ts'
import type { Statement, Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { AuditRecord } from './audit-record.ts'
import { insertAuditEntry } from './store.ts'

/** Writes down who did what, in the transaction that does it: neither stands without the other. */
export async function recordAudit(tx: Transaction, actor: Actor, record: AuditRecord): Promise<void> {
  await entryOf(tx, actor, record).execute()
}

/** The same as a statement, for a transaction that writes more in one round trip. */
export const auditStatement = (tx: Transaction, actor: Actor, record: AuditRecord): Statement =>
  entryOf(tx, actor, record)

const entryOf = (tx: Transaction, actor: Actor, record: AuditRecord) =>
  insertAuditEntry(tx, { ...actor, ...record, auditId: newId(actor.nowMs) })
