import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import type { RecipientKey } from './store.ts'

export const SUBJECT_TYPE = 'alert_recipient'

const subjectOf = ({ recipientId }: RecipientKey) => ({
  code: 'alert_recipient.failing' as const,
  subjectType: SUBJECT_TYPE,
  subjectId: recipientId,
})

/** The text is constant: a changed one would be mailed to the other recipients again. */
export const openFailingAlert = (
  tx: Transaction,
  actor: Actor,
  recipient: RecipientKey & { readonly address: string },
): Promise<void> =>
  openAlert(tx, actor, {
    ...subjectOf(recipient),
    severity: 'WARNING',
    message: `Mails about alerts to ${recipient.address} are not accepted. The list of its mails has the reason.`,
  })

export const closeFailingAlert = (tx: Transaction, actor: Actor, recipient: RecipientKey): Promise<void> =>
  closeAlert(tx, actor, subjectOf(recipient))
