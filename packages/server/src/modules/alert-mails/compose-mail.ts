import { MAIL_ALERTS, MAIL_PAUSE_MS } from '@continuity/core/alerts/limits'
import { type MailedAlert, mailText } from '@continuity/core/alerts/mail-text'
import { type MailKind, nextMail } from '@continuity/core/alerts/next-mail'
import { isId, newId } from '../../platform/crypto/ids.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { getAccount } from '../accounts/read.ts'
import { type Alert, listAlerts } from '../alerts/read.ts'
import { findChannel, listShowing } from '../channels/index.ts'
import { findSource } from '../live/index.ts'
import { findProgram } from '../schedule/index.ts'
import { hasPendingAlerts, insertMail } from './mail-store.ts'
import {
  deleteNotices,
  listDueNotices,
  type Notice,
  type NoticeUpdate,
  updateNotices,
} from './notice-store.ts'
import { lockLeased, updateProgress } from './progress-store.ts'
import { findRecipient, type Recipient, type RecipientKey } from './store.ts'

/** Alerts checked in one transaction. */
const CHECK_BATCH = 1_000

/**
 * Composes one mail about all alerts that are due for a recipient, unless it had one within the last minute or one is
 * still pending: then they are collected. The notices are updated in the same transaction, so that a mail may be sent
 * again but is never composed twice.
 */
export async function composeMail(
  tx: Transaction,
  key: RecipientKey,
  lease: string,
  nowMs: number,
): Promise<void> {
  const progress = await lockLeased(tx, key, lease)
  if (progress === undefined || nowMs < progress.nextMailMs) return
  if (await hasPendingAlerts(tx, key)) return
  // Under the lock, which a change of the recipient takes too: an alert checked by earlier rules would not be mailed.
  const recipient = await findRecipient(tx, key)
  if (recipient === undefined) return
  const checked = await checkDue(tx, recipient, nowMs)
  await deleteNotices(tx, recipient, checked.over)
  await updateNotices(tx, recipient, checked.later)
  const due = checked.due.slice(0, MAIL_ALERTS)
  if (due.length === 0) return
  const { title } = await getAccount(tx, recipient.accountId)
  const { timeZone, reminderMs } = recipient
  const mailed = await describeAll(tx, recipient.accountId, due)
  const { subject, text } = mailText(mailed, { account: title, timeZone, reminderMs, nowMs })
  const alertIds = mailed.map(({ alertId }) => alertId)
  const mailId = newId(nowMs)
  await insertMail(tx, recipient, {
    mailId,
    kind: 'ALERTS',
    subject,
    body: text,
    alertIds,
    composedMs: nowMs,
  })
  const isClosed = ({ kind }: DueAlert) => kind === 'closed'
  await deleteNotices(
    tx,
    recipient,
    due.filter(isClosed).map(({ alert }) => alert.alertId),
  )
  await updateNotices(
    tx,
    recipient,
    due.filter((each) => !isClosed(each)).map(({ alert }) => afterMail(alert, recipient, nowMs)),
  )
  await updateProgress(tx, recipient, { next_mail_ms: nowMs + MAIL_PAUSE_MS })
}

interface DueAlert {
  readonly alert: Alert
  readonly kind: MailKind
}

async function checkDue(tx: Transaction, recipient: Recipient, nowMs: number) {
  const notices = await listDueNotices(tx, recipient, nowMs, CHECK_BATCH)
  const alertIds = notices.map(({ alertId }) => alertId)
  const alerts = new Map(
    (await listAlerts(tx, recipient.accountId, alertIds)).map((alert) => [alert.alertId, alert]),
  )
  const due: DueAlert[] = []
  const later: NoticeUpdate[] = []
  const over: string[] = []
  for (const notice of notices) {
    const alert = alerts.get(notice.alertId)!
    const next = nextMail(alert, lastMailOf(notice), recipient, nowMs)
    if (next.kind === 'none') over.push(notice.alertId)
    else if (next.kind === 'wait') later.push({ ...notice, dueMs: null })
    else if (next.dueMs > nowMs) later.push({ ...notice, dueMs: next.dueMs })
    else due.push({ alert, kind: next.kind })
  }
  return { due, later, over }
}

const lastMailOf = ({ mailedMs, mailedSeverity }: Notice) =>
  mailedMs === null ? undefined : { atMs: mailedMs, severity: mailedSeverity! }

function afterMail(alert: Alert, recipient: Recipient, nowMs: number): NoticeUpdate {
  const { alertId, severity } = alert
  const next = nextMail(alert, { atMs: nowMs, severity }, recipient, nowMs)
  return { alertId, mailedMs: nowMs, mailedSeverity: severity, dueMs: 'dueMs' in next ? next.dueMs : null }
}

/** Looks up each subject once, since many alerts share one. */
async function describeAll(
  tx: Transaction,
  accountId: string,
  due: readonly DueAlert[],
): Promise<readonly MailedAlert[]> {
  const known = new Map<string, string>()
  const described: MailedAlert[] = []
  for (const { alert, kind } of due) {
    const name = `${alert.subjectType}/${alert.subjectId}`
    const where = known.get(name) ?? (await describeSubject(tx, accountId, alert))
    known.set(name, where)
    described.push({ ...alert, kind, where })
  }
  return described
}

type Describe = (db: Db, accountId: string, id: string) => Promise<string | undefined>

/** The subject of an alert, by the title or name that users gave it. */
async function describeSubject(
  db: Db,
  accountId: string,
  { subjectType, subjectId }: { readonly subjectType: string; readonly subjectId: string },
): Promise<string> {
  const named = isId(subjectId) ? await describers[subjectType]?.(db, accountId, subjectId) : undefined
  return named ?? `${subjectType.replaceAll('_', ' ')} ${subjectId}`
}

const channelName: Describe = async (db, accountId, channelId) => {
  const channel = await findChannel(db, accountId, channelId)
  return channel && `channel ${channel.title}`
}

const describers: Readonly<Record<string, Describe>> = {
  linear_channel: channelName,
  program: async (db, accountId, programId) => {
    const program = await findProgram(db, { accountId, programId })
    return program && channelName(db, accountId, program.channelId)
  },
  live_source: async (db, accountId, sourceId) => {
    const source = await findSource(db, accountId, sourceId)
    if (source === undefined) return undefined
    const channels: string[] = []
    for (const channelId of (await listShowing(db, accountId, sourceId)).slice(0, NAMED))
      channels.push((await channelName(db, accountId, channelId)) ?? '')
    return `live source ${source.name}${channels.length === 0 ? '' : `, on the air on ${channels.join(', ')}`}`
  },
}

const NAMED = 5
