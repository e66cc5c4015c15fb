import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { countedTotal, pageAnswer, pageStart, TOTAL_MAXIMUM } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { PageCursors } from '../../platform/crypto/page-cursor.ts'
import type { Database, Db } from '../../platform/database/database.ts'
import { changeRecipient } from './change-recipient.ts'
import { createRecipient } from './create-recipient.ts'
import { deleteRecipient } from './delete-recipient.ts'
import { MailIsOff } from './errors.ts'
import { countMails, selectMails } from './mail-store.ts'
import { readFailing } from './progress-store.ts'
import { requireRecipient } from './require-recipient.ts'
import { sendTest } from './send-test.ts'
import { countRecipients, listRecipients, type Recipient } from './store.ts'
import { readChanges, readDraft, toWireMail, toWireRecipient } from './wire.ts'

export interface AlertMailDeps {
  readonly database: Database
  readonly pageCursors: PageCursors
  /** Whether a mail server is configured. */
  readonly isMailOn: boolean
}

/** Endpoint to use case. */
export function alertMailRoutes({ database, pageCursors, isMailOn }: AlertMailDeps) {
  const { reading, changing } = recordHandlers(database)
  const requireMail = () => {
    if (!isMailOn) throw MailIsOff()
  }
  return {
    listAlertRecipients: reading(async (db, call) => {
      const { accountId } = call.principal
      const [after] = (pageStart(pageCursors, call) ?? []) as [string?]
      const rows = await listRecipients(db, accountId, after, call.query.page_size + 1)
      const failing = await readFailing(
        db,
        accountId,
        rows.map(({ recipientId }) => recipientId),
      )
      const hitOf = (row: Recipient) => toWireRecipient(row, failing.get(row.recipientId))
      const page = pageAnswer(pageCursors, call, { rows, hitOf, keyOf: ({ recipientId }) => [recipientId] })
      return { ...page, total: await countRecipients(db, accountId) }
    }),
    createAlertRecipient: changing(async (tx, { body }, actor) => {
      requireMail()
      return toAnswer(tx, await createRecipient(tx, actor, readDraft(body)))
    }),
    getAlertRecipient: reading(async (db, { principal, params }) =>
      toAnswer(db, await requireRecipient(db, principal.accountId, params.alert_recipient_id)),
    ),
    changeAlertRecipient: changing(async (tx, call, actor) => {
      const { alert_recipient_id: recipientId } = call.params
      const changes = readChanges(call.body)
      return toAnswer(tx, await changeRecipient(tx, actor, recipientId, changes, requireSeen(call)))
    }),
    deleteAlertRecipient: changing(async (tx, call, actor) => {
      await deleteRecipient(tx, actor, call.params.alert_recipient_id, requireSeen(call))
    }),
    testAlertRecipient: changing(async (tx, { params }, actor) => {
      requireMail()
      return { mail_id: await sendTest(tx, actor, params.alert_recipient_id) }
    }),
    listAlertMails: reading(async (db, call) => {
      const { page_size: size, state } = call.query
      const { alert_recipient_id: recipientId } = call.params
      const recipient = await requireRecipient(db, call.principal.accountId, recipientId)
      const [beforeId] = (pageStart(pageCursors, call) ?? []) as [string?]
      const rows = await selectMails(db, recipient, state, beforeId, size + 1).execute()
      const page = pageAnswer(pageCursors, call, { rows, hitOf: toWireMail, keyOf: (row) => [row.mail_id] })
      const count = countMails(db, recipient, state, TOTAL_MAXIMUM + 1)
      return { ...page, ...countedTotal((await count.executeTakeFirstOrThrow()).counted) }
    }),
  } satisfies Handlers
}

async function toAnswer(db: Db, recipient: Recipient) {
  const failing = await readFailing(db, recipient.accountId, [recipient.recipientId])
  return answered(toWireRecipient(recipient, failing.get(recipient.recipientId)), {
    etag: recordEtag(recipient.version),
  })
}
