import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { recordEvent } from '../events/index.ts'
import type { AlertRecord } from './alert.ts'
import { upsertAlert } from './store.ts'

/** Opens an alert, or updates the severity and the message of the open one. Monitoring code may call it at every check. */
export async function openAlert(tx: Transaction, actor: Actor, alert: AlertRecord): Promise<void> {
  const { accountId, nowMs } = actor
  const written = await upsertAlert(tx, { ...alert, accountId, alertId: newId(nowMs), openedMs: nowMs })
  if (written === undefined) return
  await recordEvent(tx, actor, {
    kind: written.isNew ? 'alert.opened' : 'alert.changed',
    subjectId: written.alertId,
    data: eventDataOf(alert),
  })
}

const eventDataOf = ({ severity, code, message, subjectType, subjectId }: AlertRecord) => ({
  severity,
  code,
  message,
  subject_type: subjectType,
  subject_id: subjectId,
})
