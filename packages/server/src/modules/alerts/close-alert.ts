import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { recordEvent } from '../events/index.ts'
import type { AlertSubject } from './alert.ts'
import { endAlert } from './store.ts'

/** Closes the open alert of a subject, if there is one. */
export async function closeAlert(tx: Transaction, actor: Actor, subject: AlertSubject): Promise<void> {
  const alertId = await endAlert(tx, actor.accountId, subject, actor.nowMs)
  if (alertId === undefined) return
  const { code, subjectType, subjectId } = subject
  await recordEvent(tx, actor, {
    kind: 'alert.closed',
    subjectId: alertId,
    data: { code, subject_type: subjectType, subject_id: subjectId },
  })
}
