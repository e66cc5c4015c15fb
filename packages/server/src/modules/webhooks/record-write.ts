import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { anyOf, recordAudit, shown, verbOf, type Write } from '../audit/index.ts'
import type { Webhook } from './store.ts'
import { toWireRecord } from './wire.ts'

/** Audits a write of a webhook. A new secret has its own action, because the record does not show it. */
export async function recordWebhookWrite(
  tx: Transaction,
  actor: Actor,
  write: Write<Webhook>,
  command?: 'rotate_secret' | 'replay',
): Promise<void> {
  await recordAudit(tx, actor, {
    action: `webhook.${command ?? verbOf(write)}`,
    subjectType: 'webhook',
    subjectId: anyOf(write).webhookId,
    ...shown(write, toWireRecord),
  })
}
