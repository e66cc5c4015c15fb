import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import type { Claim } from '../../platform/jobs/leased-work.ts'
import type { EventCursor } from '../events/read.ts'
import type { RecipientKey } from './store.ts'

/** The delivery state of a recipient. Written under a row lock by the worker that holds the lease. */
export interface Progress {
  readonly isActive: boolean
  readonly cursor: EventCursor
  /** Alerts are collected until then. */
  readonly nextMailMs: number
  readonly failures: number
  readonly failingSinceMs: number | null
  readonly isSlow: boolean
  readonly lease: string | null
}

interface ProgressTable {
  account_id: string
  recipient_id: string
  is_active: boolean
  cursor_epoch: number
  cursor_horizon: number
  cursor_number: number
  next_mail_ms: number
  failures: number
  failing_since_ms: number | null
  is_slow: boolean
  due_ms: number | null
  not_before_ms: number
  lease: string | null
  lease_until_ms: number
}

const on = tables<{ alert_recipient_progress: ProgressTable }>()

export async function insertProgress(
  tx: Transaction,
  { accountId, recipientId }: RecipientKey,
  cursor: EventCursor,
  dueMs: number,
): Promise<void> {
  await on(tx)
    .insertInto('alert_recipient_progress')
    .values({
      account_id: accountId,
      recipient_id: recipientId,
      is_active: true,
      ...columnsOf(cursor),
      next_mail_ms: 0,
      failures: 0,
      // New recipients start in the slow pool, so that many bad ones cannot occupy the slots of others.
      is_slow: true,
      due_ms: dueMs,
      not_before_ms: 0,
      lease_until_ms: 0,
    })
    .execute()
}

export async function lockProgress(tx: Transaction, key: RecipientKey): Promise<Progress | undefined> {
  const row = await on(tx)
    .selectFrom('alert_recipient_progress')
    .select(['is_active', 'cursor_epoch', 'cursor_horizon', 'cursor_number', 'next_mail_ms'])
    .select(['failures', 'failing_since_ms', 'is_slow', 'lease'])
    .where('account_id', '=', key.accountId)
    .where('recipient_id', '=', key.recipientId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return (
    row && {
      isActive: row.is_active,
      cursor: { epoch: row.cursor_epoch, horizon: row.cursor_horizon, number: row.cursor_number },
      nextMailMs: row.next_mail_ms,
      failures: row.failures,
      failingSinceMs: row.failing_since_ms,
      isSlow: row.is_slow,
      lease: row.lease,
    }
  )
}

/** Locks the row if this worker still holds the lease and the recipient is active. */
export async function lockLeased(
  tx: Transaction,
  key: RecipientKey,
  lease: string,
): Promise<Progress | undefined> {
  const progress = await lockProgress(tx, key)
  return progress?.isActive && progress.lease === lease ? progress : undefined
}

export type ProgressChanges = Partial<{
  is_active: boolean
  cursor: EventCursor
  next_mail_ms: number
  failures: number
  failing_since_ms: number | null
  is_slow: boolean
  due_ms: number | null
  not_before_ms: number
}>

/** The row must be locked. */
export async function updateProgress(
  tx: Transaction,
  key: RecipientKey,
  { cursor, ...changes }: ProgressChanges,
): Promise<void> {
  await ofKey(tx, key)
    .set({ ...changes, ...(cursor && columnsOf(cursor)) })
    .execute()
}

/** Extends a lease; false if it was lost. */
export async function extendLease(
  db: Db,
  key: RecipientKey,
  lease: string,
  untilMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await ofKey(db, key)
    .set({ lease_until_ms: untilMs })
    .where('lease', '=', lease)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases a lease, unless it was lost. `dueMs` is when the next work is due; new events wake the recipient as well. */
export async function releaseLease(
  db: Db,
  key: RecipientKey,
  lease: string,
  release: { readonly nowMs: number; readonly dueMs: number | null; readonly notBeforeMs: number },
): Promise<void> {
  const { nowMs, dueMs, notBeforeMs } = release
  await ofKey(db, key)
    .set({ lease: null, lease_until_ms: nowMs, due_ms: dueMs, not_before_ms: notBeforeMs })
    .where('lease', '=', lease)
    .execute()
}

export async function deleteProgress(tx: Transaction, key: RecipientKey): Promise<void> {
  await on(tx)
    .deleteFrom('alert_recipient_progress')
    .where('account_id', '=', key.accountId)
    .where('recipient_id', '=', key.recipientId)
    .execute()
}

/** For each failing recipient, since when its mails have failed. */
export async function readFailing(
  db: Db,
  accountId: string,
  recipientIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (recipientIds.length === 0) return new Map()
  const rows = await on(db)
    .selectFrom('alert_recipient_progress')
    .select(['recipient_id', 'failing_since_ms'])
    .where('account_id', '=', accountId)
    .where('recipient_id', 'in', recipientIds)
    .where('failing_since_ms', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [row.recipient_id, row.failing_since_ms!]))
}

/** Leases recipients with work, of all accounts. */
export async function claimRecipients(
  platform: Db,
  { lease, nowMs, untilMs, isPoor, busyAccounts, mostEach, most }: Claim & { readonly untilMs: number },
): Promise<readonly RecipientKey[]> {
  const { rows } = await sql<RecipientKey>`
    select account_id as "accountId", recipient_id as "recipientId"
      from claim_alert_recipients(
        ${lease}, ${nowMs}, ${untilMs}, ${isPoor}, ${busyAccounts}::uuid[], ${mostEach}, ${most})
  `.execute(platform)
  return rows
}

const columnsOf = ({ epoch, horizon, number }: EventCursor) => ({
  cursor_epoch: epoch,
  cursor_horizon: horizon,
  cursor_number: number,
})

const ofKey = (db: Db, { accountId, recipientId }: RecipientKey) =>
  on(db)
    .updateTable('alert_recipient_progress')
    .where('account_id', '=', accountId)
    .where('recipient_id', '=', recipientId)
