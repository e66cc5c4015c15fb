import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { recordEvent } from '../events/index.ts'
import type { AlertRecord } from './alert.ts'
import { upsertAlert } from './store.ts'

/**
 * Opens an alert. While the same trouble lasts it is the same alert: opened
 * again it stays as it is, or takes on the severity and the message that are
 * new. So who watches something may call this as often as it looks.
 */
export async function openAlert(tx: Transaction, actor: Actor, alert: AlertRecord): Promise<void> {
  const { accountId, nowMs } = actor
  const written = await upsertAlert(tx, { ...alert, accountId, alertId: newId(nowMs), openedMs: nowMs })
  if (written === undefined) return
  await recordEvent(tx, actor, {
    kind: written.isNew ? 'alert.opened' : 'alert.changed',
    subjectId: written.alertId,
    data: wordsOf(alert),
  })
}

const wordsOf = ({ severity, code, message, subjectType, subjectId }: AlertRecord) => ({
  severity,
  code,
  message,
  subject_type: subjectType,
  subject_id: subjectId,
})
