import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Statement, Transaction } from '../../platform/database/database.ts'
import type { AuditRecord } from './audit-record.ts'
import { insertAuditEntry } from './store.ts'

/** Records a change in the transaction that makes it, so that they commit together. */
export async function recordAudit(tx: Transaction, actor: Actor, record: AuditRecord): Promise<void> {
  await entryOf(tx, actor, record).execute()
}

/** The same as a statement, for a transaction that writes more in one round trip. */
export const auditStatement = (tx: Transaction, actor: Actor, record: AuditRecord): Statement =>
  entryOf(tx, actor, record)

const entryOf = (tx: Transaction, actor: Actor, record: AuditRecord) =>
  insertAuditEntry(tx, { ...actor, ...record, auditId: newId(actor.nowMs) })
