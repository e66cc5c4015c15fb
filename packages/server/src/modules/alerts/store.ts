import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import type { AlertFilter, AlertRecord, AlertSeverity, AlertSubject } from './alert.ts'

interface AlertTable {
  account_id: string
  alert_id: string
  severity: AlertSeverity
  code: string
  message: string
  subject_type: string
  subject_id: string
  opened_ms: number
  closed_ms: number | null
}

/** An alert as it is read; its account is the reader's. */
export type AlertRow = Omit<AlertTable, 'account_id'>

const on = tables<{ alerts: AlertTable }>()

export interface NewAlert extends AlertRecord {
  readonly accountId: string
  readonly alertId: string
  readonly openedMs: number
}

/** Opens the alert or updates the open one; undefined if nothing changed. */
export async function upsertAlert(
  tx: Transaction,
  alert: NewAlert,
): Promise<{ readonly alertId: string; readonly isNew: boolean } | undefined> {
  const { rows } = await sql<{ alertId: string }>`
    insert into alerts as open
      (account_id, alert_id, severity, code, message, subject_type, subject_id, opened_ms)
    values (${alert.accountId}, ${alert.alertId}, ${alert.severity}, ${alert.code}, ${alert.message},
      ${alert.subjectType}, ${alert.subjectId}, ${alert.openedMs})
    on conflict (account_id, code, subject_type, subject_id) where closed_ms is null
    do update set severity = excluded.severity, message = excluded.message
      where (open.severity, open.message) is distinct from (excluded.severity, excluded.message)
    returning alert_id as "alertId"`.execute(tx)
  const [written] = rows
  return written && { ...written, isNew: written.alertId === alert.alertId }
}

/** Closes the open alert and returns its id; undefined if none is open. */
export async function endAlert(
  tx: Transaction,
  accountId: string,
  { code, subjectType, subjectId }: AlertSubject,
  closedMs: number,
): Promise<string | undefined> {
  const closed = await on(tx)
    .updateTable('alerts')
    // The clock of the process that opened it may be slightly ahead.
    .set(({ fn, ref, val }) => ({ closed_ms: fn<number>('greatest', [ref('opened_ms'), val(closedMs)]) }))
    .where('account_id', '=', accountId)
    .where('code', '=', code)
    .where('subject_type', '=', subjectType)
    .where('subject_id', '=', subjectId)
    .where('closed_ms', 'is', null)
    .returning('alert_id')
    .executeTakeFirst()
  return closed?.alert_id
}

/** Which of these codes have an open alert for a subject. */
export async function openAlertCodes(
  tx: Transaction,
  accountId: string,
  codes: readonly string[],
  { subjectType, subjectId }: Pick<AlertSubject, 'subjectType' | 'subjectId'>,
): Promise<readonly string[]> {
  const rows = await on(tx)
    .selectFrom('alerts')
    .select('code')
    .where('account_id', '=', accountId)
    .where('code', 'in', codes)
    .where('subject_type', '=', subjectType)
    .where('subject_id', '=', subjectId)
    .where('closed_ms', 'is', null)
    .execute()
  return rows.map(({ code }) => code)
}

/** An alert as other modules read it. */
export interface Alert extends AlertSubject, Omit<AlertRecord, 'code'> {
  readonly alertId: string
  readonly openedMs: number
  readonly closedMs: number | null
}

export async function listAlerts(
  db: Db,
  accountId: string,
  alertIds: readonly string[],
): Promise<readonly Alert[]> {
  if (alertIds.length === 0) return []
  return on(db)
    .selectFrom('alerts')
    .select(['alert_id as alertId', 'severity', 'code', 'message', 'subject_type as subjectType'])
    .select(['subject_id as subjectId', 'opened_ms as openedMs', 'closed_ms as closedMs'])
    .where('account_id', '=', accountId)
    .where('alert_id', 'in', alertIds)
    .execute()
}

/** The newest first. */
export async function listOpenAlertIds(db: Db, accountId: string, limit: number): Promise<readonly string[]> {
  const rows = await matching(db, accountId, { state: 'OPEN' })
    .select('alert_id')
    .orderBy('alert_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ alert_id }) => alert_id)
}

/** Newest first, after `beforeId` if given. */
export function selectAlerts(
  db: Db,
  accountId: string,
  filter: AlertFilter,
  beforeId: string | undefined,
  limit: number,
) {
  return matching(db, accountId, filter)
    .$if(beforeId !== undefined, (query) => query.where('alert_id', '<', beforeId!))
    .select(['alert_id', 'severity', 'code', 'message', 'subject_type', 'subject_id', 'opened_ms'])
    .select('closed_ms')
    .orderBy('alert_id', 'desc')
    .limit(limit)
}

/** The number of alerts, counted up to `most`, by the index that lists them. */
export function countAlerts(db: Db, accountId: string, filter: AlertFilter, most: number) {
  const found = matching(db, accountId, filter).select('alert_id').orderBy('alert_id', 'desc').limit(most)
  return db.selectFrom(found.as('found')).select(({ fn }) => fn.countAll<number>().as('counted'))
}

function matching(db: Db, accountId: string, { state, severity }: AlertFilter) {
  return on(db)
    .selectFrom('alerts')
    .where('account_id', '=', accountId)
    .$if(state === 'OPEN', (query) => query.where('closed_ms', 'is', null))
    .$if(state === 'CLOSED', (query) => query.where('closed_ms', 'is not', null))
    .$if(severity !== undefined, (query) => query.where('severity', '=', severity!))
}
