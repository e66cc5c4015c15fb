import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import type { RecipientKey } from './store.ts'

export type MailState = 'PENDING' | 'SENT' | 'FAILED'
export type MailPurpose = 'ALERTS' | 'TEST'

export interface NewMail {
  readonly mailId: string
  readonly kind: MailPurpose
  readonly subject: string
  readonly body: string
  readonly alertIds: readonly string[]
  readonly composedMs: number
}

/** A mail to be sent. */
export interface PendingMail extends NewMail {
  readonly attempts: number
  readonly firstAttemptMs: number | null
}

/** The result of an attempt. */
export interface Attempt {
  readonly atMs: number
  readonly address: string
  readonly durationMs: number
  readonly errorCode: string | null
  readonly response: string
}

interface MailTable {
  account_id: string
  recipient_id: string
  mail_id: string
  kind: MailPurpose
  subject: string
  body: string
  alert_ids: string[]
  composed_ms: number
  state: MailState
  attempts: number
  ready_ms: number | null
  first_attempt_ms: number | null
  attempt_ms: number | null
  attempt_address: string | null
  duration_ms: number | null
  response: string | null
  error_code: string | null
  ended_ms: number | null
}

/** A mail as it is listed. */
export type MailRow = Omit<MailTable, 'account_id' | 'recipient_id' | 'first_attempt_ms' | 'ended_ms'>

const on = tables<{ alert_mails: MailTable }>()

export async function insertMail(
  tx: Transaction,
  { accountId, recipientId }: RecipientKey,
  mail: NewMail,
): Promise<void> {
  await on(tx)
    .insertInto('alert_mails')
    .values({
      account_id: accountId,
      recipient_id: recipientId,
      mail_id: mail.mailId,
      kind: mail.kind,
      subject: mail.subject,
      body: mail.body,
      alert_ids: [...mail.alertIds],
      composed_ms: mail.composedMs,
      state: 'PENDING',
      attempts: 0,
      ready_ms: mail.composedMs,
    })
    .execute()
}

/** The mail that has been ready the longest. */
export async function findReadyMail(
  db: Db,
  key: RecipientKey,
  nowMs: number,
): Promise<PendingMail | undefined> {
  return pendingOf(db, key)
    .select(['mail_id as mailId', 'kind', 'subject', 'body', 'alert_ids as alertIds', 'attempts'])
    .select(['composed_ms as composedMs', 'first_attempt_ms as firstAttemptMs'])
    .where('ready_ms', '<=', nowMs)
    .orderBy('ready_ms')
    .orderBy('mail_id')
    .limit(1)
    .executeTakeFirst()
}

/** When the next mail is ready; null if none is pending. */
export async function findMailDueMs(db: Db, key: RecipientKey): Promise<number | null> {
  const row = await pendingOf(db, key).select('ready_ms').orderBy('ready_ms').limit(1).executeTakeFirst()
  return row?.ready_ms ?? null
}

export async function hasPendingAlerts(db: Db, key: RecipientKey): Promise<boolean> {
  const row = await pendingOf(db, key)
    .select('mail_id')
    .where('kind', '=', 'ALERTS')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Does nothing if the mail has already ended. */
export async function endMail(
  tx: Transaction,
  key: RecipientKey,
  mailId: string,
  state: 'SENT' | 'FAILED',
  attempt: Attempt,
  nowMs: number,
): Promise<void> {
  await sql`
    update alert_mails
       set state = ${state}, attempts = attempts + 1, ready_ms = null, ended_ms = ${nowMs}, ${written(attempt)}
     where account_id = ${key.accountId} and recipient_id = ${key.recipientId} and mail_id = ${mailId}
       and state = 'PENDING'`.execute(tx)
}

/** Schedules a retry after a failed attempt. Does nothing if another worker has made an attempt meanwhile. */
export async function postponeMail(
  tx: Transaction,
  key: RecipientKey,
  { mailId, attempts }: PendingMail,
  attempt: Attempt,
  readyMs: number,
): Promise<void> {
  await sql`
    update alert_mails set attempts = attempts + 1, ready_ms = ${readyMs}, ${written(attempt)}
     where account_id = ${key.accountId} and recipient_id = ${key.recipientId} and mail_id = ${mailId}
       and state = 'PENDING' and attempts = ${attempts}`.execute(tx)
}

const written = ({ atMs, address, durationMs, errorCode, response }: Attempt) => sql`
  first_attempt_ms = coalesce(first_attempt_ms, ${atMs}), attempt_ms = ${atMs}, attempt_address = ${address},
  duration_ms = ${durationMs}, error_code = ${errorCode}, response = ${response}`

export async function deletePendingMails(
  tx: Transaction,
  { accountId, recipientId }: RecipientKey,
): Promise<void> {
  await on(tx)
    .deleteFrom('alert_mails')
    .where('account_id', '=', accountId)
    .where('recipient_id', '=', recipientId)
    .where('state', '=', 'PENDING')
    .execute()
}

/** Test mails of the whole account. */
export async function countTestsSince(tx: Transaction, accountId: string, sinceMs: number): Promise<number> {
  const row = await on(tx)
    .selectFrom('alert_mails')
    .select(({ fn }) => fn.countAll<number>().as('counted'))
    .where('account_id', '=', accountId)
    .where('kind', '=', 'TEST')
    .where('composed_ms', '>', sinceMs)
    .executeTakeFirstOrThrow()
  return row.counted
}

/** Newest first, after `beforeId` if given. */
export function selectMails(
  db: Db,
  key: RecipientKey,
  state: MailState | undefined,
  beforeId: string | undefined,
  limit: number,
) {
  return matching(db, key, state)
    .$if(beforeId !== undefined, (query) => query.where('mail_id', '<', beforeId!))
    .select(['mail_id', 'kind', 'subject', 'body', 'alert_ids', 'composed_ms', 'state', 'attempts'])
    .select(['ready_ms', 'attempt_ms', 'attempt_address', 'duration_ms', 'response', 'error_code'])
    .orderBy('mail_id', 'desc')
    .limit(limit)
}

/** The number of mails, counted up to `most`. */
export function countMails(db: Db, key: RecipientKey, state: MailState | undefined, most: number) {
  const found = matching(db, key, state).select('mail_id').orderBy('mail_id', 'desc').limit(most)
  return db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('counted'))
}

export async function purgeMailsBefore(db: Db, beforeMs: number, most: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    select forget_alert_mails(${beforeMs}, ${most}) as gone`.execute(db)
  return rows[0]!.gone
}

const matching = (db: Db, key: RecipientKey, state: MailState | undefined) =>
  of(db, key).$if(state !== undefined, (query) => query.where('state', '=', state!))

const pendingOf = (db: Db, key: RecipientKey) => of(db, key).where('state', '=', 'PENDING')

const of = (db: Db, { accountId, recipientId }: RecipientKey) =>
  on(db).selectFrom('alert_mails').where('account_id', '=', accountId).where('recipient_id', '=', recipientId)
