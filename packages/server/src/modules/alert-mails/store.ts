import type { MailRules } from '@continuity/core/alerts/next-mail'
import type { QuietHours } from '@continuity/core/alerts/quiet-hours'
import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'

export interface RecipientFields extends MailRules {
  readonly address: string
  readonly description: string
  readonly status: 'ACTIVE' | 'PAUSED'
}

export interface RecipientKey {
  readonly accountId: string
  readonly recipientId: string
}

export interface Recipient extends RecipientKey, RecipientFields {
  readonly version: number
  readonly createdMs: number
  readonly createdUserId: string
  readonly updatedMs: number
  readonly updatedUserId: string
}

interface RecipientTable {
  account_id: string
  recipient_id: string
  address: string
  description: string
  minimum_severity: Recipient['minimumSeverity']
  time_zone: string
  quiet_hours: readonly QuietHours[]
  reminder_ms: number | null
  status: Recipient['status']
  version: number
  created_ms: number
  created_user_id: string
  updated_ms: number
  updated_user_id: string
  deleted_ms: number | null
}

const on = tables<{ alert_recipients: RecipientTable }>()

const columns = [
  'account_id as accountId',
  'recipient_id as recipientId',
  'address',
  'description',
  'minimum_severity as minimumSeverity',
  'time_zone as timeZone',
  'quiet_hours as quietHours',
  'reminder_ms as reminderMs',
  'status',
  'version',
  'created_ms as createdMs',
  'created_user_id as createdUserId',
  'updated_ms as updatedMs',
  'updated_user_id as updatedUserId',
] as const

interface Writer {
  readonly nowMs: number
  readonly userId: string | null
}

export async function insertRecipient(
  tx: Transaction,
  { accountId, recipientId }: RecipientKey,
  fields: RecipientFields,
  { nowMs, userId }: Writer,
): Promise<Recipient> {
  return on(tx)
    .insertInto('alert_recipients')
    .values({
      account_id: accountId,
      recipient_id: recipientId,
      ...columnsOf(fields),
      version: 1,
      created_ms: nowMs,
      created_user_id: userId ?? '',
      updated_ms: nowMs,
      updated_user_id: userId ?? '',
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The recipient must be locked. */
export async function updateRecipient(
  tx: Transaction,
  recipient: Recipient,
  changes: Partial<RecipientFields>,
  writer: Writer,
): Promise<Recipient> {
  return ofLocked(tx, recipient)
    .set({ ...columnsOf({ ...recipient, ...changes }), ...written(recipient, writer) })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The recipient must be locked. Its row stays as long as its mails. */
export async function markRecipientDeleted(
  tx: Transaction,
  recipient: Recipient,
  writer: Writer,
): Promise<void> {
  await ofLocked(tx, recipient)
    .set({ deleted_ms: writer.nowMs, ...written(recipient, writer) })
    .execute()
}

export async function findRecipient(
  db: Db,
  { accountId, recipientId }: RecipientKey,
): Promise<Recipient | undefined> {
  return one(db, accountId, recipientId).executeTakeFirst()
}

export async function lockRecipient(
  tx: Transaction,
  { accountId, recipientId }: RecipientKey,
): Promise<Recipient | undefined> {
  return one(tx, accountId, recipientId).forNoKeyUpdate().executeTakeFirst()
}

/** The oldest first, after `after`. */
export async function listRecipients(
  db: Db,
  accountId: string,
  after: string | undefined,
  limit: number,
): Promise<readonly Recipient[]> {
  return present(db, accountId)
    .select(columns)
    .$if(after !== undefined, (query) => query.where('recipient_id', '>', after!))
    .orderBy('recipient_id')
    .limit(limit)
    .execute()
}

export async function countRecipients(db: Db, accountId: string): Promise<number> {
  const row = await present(db, accountId)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

/** Locks the creation of recipients for the account until the transaction ends, then counts. */
export async function countRecipientsLocked(tx: Transaction, accountId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('alert_recipients'), hashtext(${accountId}))`.execute(tx)
  return countRecipients(tx, accountId)
}

const present = (db: Db, accountId: string) =>
  on(db).selectFrom('alert_recipients').where('account_id', '=', accountId).where('deleted_ms', 'is', null)

const one = (db: Db, accountId: string, recipientId: string) =>
  present(db, accountId).select(columns).where('recipient_id', '=', recipientId)

const ofLocked = (tx: Transaction, { accountId, recipientId }: Recipient) =>
  on(tx)
    .updateTable('alert_recipients')
    .where('account_id', '=', accountId)
    .where('recipient_id', '=', recipientId)

const written = ({ version }: Recipient, { nowMs, userId }: Writer) => ({
  version: version + 1,
  updated_ms: nowMs,
  updated_user_id: userId ?? '',
})

const columnsOf = (fields: RecipientFields) => ({
  address: fields.address,
  description: fields.description,
  minimum_severity: fields.minimumSeverity,
  time_zone: fields.timeZone,
  quiet_hours: sql<readonly QuietHours[]>`${JSON.stringify(fields.quietHours)}::jsonb`,
  reminder_ms: fields.reminderMs,
  status: fields.status,
})
