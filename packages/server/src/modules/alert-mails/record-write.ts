import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { anyOf, recordAudit, shown, verbOf, type Write } from '../audit/index.ts'
import type { Recipient } from './store.ts'
import { toWireRecord } from './wire.ts'

/** Audits a write of a recipient. */
export async function recordRecipientWrite(
  tx: Transaction,
  actor: Actor,
  write: Write<Recipient>,
): Promise<void> {
  await recordAudit(tx, actor, {
    action: `alert_recipient.${verbOf(write)}`,
    subjectType: 'alert_recipient',
    subjectId: anyOf(write).recipientId,
    ...shown(write, toWireRecord),
  })
}
