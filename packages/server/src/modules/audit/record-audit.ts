import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { AuditRecord } from './audit-record.ts'
import { insertAuditEntry } from './store.ts'

/** Writes down who did what, in the transaction that does it: neither stands without the other. */
export async function recordAudit(tx: Transaction, actor: Actor, record: AuditRecord): Promise<void> {
  await insertAuditEntry(tx, { ...actor, ...record, auditId: newId(actor.nowMs) })
}
