import type { Severity } from '@continuity/core/alerts/severity'
import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import type { RecipientKey } from './store.ts'

/** What was mailed to a recipient about an alert. */
export interface Notice {
  readonly alertId: string
  readonly mailedMs: number | null
  readonly mailedSeverity: Severity | null
}

interface NoticeTable {
  account_id: string
  recipient_id: string
  alert_id: string
  mailed_ms: number | null
  mailed_severity: Severity | null
  due_ms: number | null
}

const on = tables<{ alert_notices: NoticeTable }>()

/** Makes these alerts, noted before or new, due to be checked now. */
export async function touchNotices(
  tx: Transaction,
  { accountId, recipientId }: RecipientKey,
  alertIds: readonly string[],
  nowMs: number,
): Promise<void> {
  if (alertIds.length === 0) return
  await sql`
    insert into alert_notices (account_id, recipient_id, alert_id, due_ms)
    select ${accountId}, ${recipientId}, alert_id, ${nowMs} from unnest(${alertIds}::uuid[]) as alert_id
    on conflict (account_id, recipient_id, alert_id) do update set due_ms = excluded.due_ms`.execute(tx)
}

/** Makes all alerts due to be checked, after a change of the recipient. */
export async function touchAllNotices(tx: Transaction, key: RecipientKey, nowMs: number): Promise<void> {
  await on(tx)
    .updateTable('alert_notices')
    .set({ due_ms: nowMs })
    .where('account_id', '=', key.accountId)
    .where('recipient_id', '=', key.recipientId)
    .execute()
}

export async function listDueNotices(
  tx: Transaction,
  key: RecipientKey,
  nowMs: number,
  limit: number,
): Promise<readonly Notice[]> {
  return of(tx, key)
    .select(['alert_id as alertId', 'mailed_ms as mailedMs', 'mailed_severity as mailedSeverity'])
    .where('due_ms', '<=', nowMs)
    .orderBy('due_ms')
    .orderBy('alert_id')
    .limit(limit)
    .execute()
}

/** When the next alert is due to be checked; null if none is. */
export async function findNoticeDueMs(db: Db, key: RecipientKey): Promise<number | null> {
  const row = await of(db, key)
    .select('due_ms')
    .where('due_ms', 'is not', null)
    .orderBy('due_ms')
    .limit(1)
    .executeTakeFirst()
  return row?.due_ms ?? null
}

/** The new state of a notice after its alert was checked. */
export interface NoticeUpdate extends Notice {
  readonly dueMs: number | null
}

export async function updateNotices(
  tx: Transaction,
  { accountId, recipientId }: RecipientKey,
  updates: readonly NoticeUpdate[],
): Promise<void> {
  if (updates.length === 0) return
  await sql`
    update alert_notices n
       set due_ms = u.due_ms, mailed_ms = u.mailed_ms, mailed_severity = u.mailed_severity
      from unnest(
        ${updates.map(({ alertId }) => alertId)}::uuid[],
        ${updates.map(({ dueMs }) => dueMs)}::bigint[],
        ${updates.map(({ mailedMs }) => mailedMs)}::bigint[],
        ${updates.map(({ mailedSeverity }) => mailedSeverity)}::text[]
      ) as u (alert_id, due_ms, mailed_ms, mailed_severity)
     where n.account_id = ${accountId} and n.recipient_id = ${recipientId} and n.alert_id = u.alert_id`.execute(
    tx,
  )
}

export async function deleteNotices(
  tx: Transaction,
  key: RecipientKey,
  alertIds: readonly string[],
): Promise<void> {
  if (alertIds.length === 0) return
  await deleteOf(tx, key).where('alert_id', 'in', alertIds).execute()
}

export async function deleteAllNotices(tx: Transaction, key: RecipientKey): Promise<void> {
  await deleteOf(tx, key).execute()
}

const of = (db: Db, { accountId, recipientId }: RecipientKey) =>
  on(db)
    .selectFrom('alert_notices')
    .where('account_id', '=', accountId)
    .where('recipient_id', '=', recipientId)

const deleteOf = (tx: Transaction, { accountId, recipientId }: RecipientKey) =>
  on(tx)
    .deleteFrom('alert_notices')
    .where('account_id', '=', accountId)
    .where('recipient_id', '=', recipientId)
