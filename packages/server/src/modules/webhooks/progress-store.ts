import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import type { Claim } from '../../platform/jobs/leased-work.ts'
import type { EventCursor } from '../events/read.ts'

export interface WebhookKey {
  readonly accountId: string
  readonly webhookId: string
}

/** The delivery state of a webhook. Written under a row lock by the worker that holds the lease. */
export interface Progress {
  readonly isActive: boolean
  readonly cursor: EventCursor
  readonly fromMs: number
  readonly replays: number
  readonly lastPosition: number
  readonly failures: number
  readonly failingSinceMs: number | null
  readonly isSlow: boolean
  readonly lease: string | null
}

interface ProgressTable {
  account_id: string
  webhook_id: string
  is_active: boolean
  cursor_epoch: number
  cursor_horizon: number
  cursor_number: number
  from_ms: number
  replays: number
  last_position: number
  failures: number
  failing_since_ms: number | null
  is_slow: boolean
  due_ms: number | null
  not_before_ms: number
  lease: string | null
  lease_until_ms: number
}

const on = tables<{ webhook_progress: ProgressTable }>()

export async function insertProgress(
  tx: Transaction,
  { accountId, webhookId }: WebhookKey,
  { epoch, horizon, number }: EventCursor,
  fromMs: number,
): Promise<void> {
  await on(tx)
    .insertInto('webhook_progress')
    .values({
      account_id: accountId,
      webhook_id: webhookId,
      is_active: true,
      cursor_epoch: epoch,
      cursor_horizon: horizon,
      cursor_number: number,
      from_ms: fromMs,
      replays: 0,
      last_position: 0,
      failures: 0,
      // New webhooks start in the slow pool, so that many bad ones cannot occupy the slots of others.
      is_slow: true,
      not_before_ms: 0,
      lease_until_ms: 0,
    })
    .execute()
}

export async function lockProgress(tx: Transaction, key: WebhookKey): Promise<Progress | undefined> {
  const row = await on(tx)
    .selectFrom('webhook_progress')
    .select(['is_active', 'cursor_epoch', 'cursor_horizon', 'cursor_number', 'from_ms', 'replays'])
    .select(['last_position', 'failures', 'failing_since_ms', 'is_slow', 'lease'])
    .where('account_id', '=', key.accountId)
    .where('webhook_id', '=', key.webhookId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return (
    row && {
      isActive: row.is_active,
      cursor: { epoch: row.cursor_epoch, horizon: row.cursor_horizon, number: row.cursor_number },
      fromMs: row.from_ms,
      replays: row.replays,
      lastPosition: row.last_position,
      failures: row.failures,
      failingSinceMs: row.failing_since_ms,
      isSlow: row.is_slow,
      lease: row.lease,
    }
  )
}

export type ProgressChanges = Partial<{
  is_active: boolean
  cursor: EventCursor
  from_ms: number
  replays: number
  last_position: number
  failures: number
  failing_since_ms: number | null
  is_slow: boolean
  due_ms: number | null
  not_before_ms: number
}>

/** The row must be locked. */
export async function updateProgress(
  tx: Transaction,
  key: WebhookKey,
  { cursor, ...changes }: ProgressChanges,
): Promise<void> {
  const moved = cursor && {
    cursor_epoch: cursor.epoch,
    cursor_horizon: cursor.horizon,
    cursor_number: cursor.number,
  }
  await ofKey(tx, key)
    .set({ ...changes, ...moved })
    .execute()
}

/** Extends a lease; false if it was lost. */
export async function extendLease(db: Db, key: WebhookKey, lease: string, untilMs: number): Promise<boolean> {
  const { numUpdatedRows } = await ofKey(db, key)
    .set({ lease_until_ms: untilMs })
    .where('lease', '=', lease)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases a lease, unless it was lost. `dueMs` is when the next delivery is ready; new events wake the webhook as well. */
export async function releaseLease(
  db: Db,
  key: WebhookKey,
  lease: string,
  {
    nowMs,
    dueMs,
    notBeforeMs,
  }: { readonly nowMs: number; readonly dueMs: number | null; readonly notBeforeMs: number },
): Promise<void> {
  await ofKey(db, key)
    .set({ lease: null, lease_until_ms: nowMs, due_ms: dueMs, not_before_ms: notBeforeMs })
    .where('lease', '=', lease)
    .execute()
}

/** Makes the webhook claimable now. */
export async function makeDue(tx: Transaction, key: WebhookKey, nowMs: number): Promise<void> {
  await ofKey(tx, key).set({ due_ms: nowMs, not_before_ms: 0 }).execute()
}

export async function deleteProgress(tx: Transaction, { accountId, webhookId }: WebhookKey): Promise<void> {
  await on(tx)
    .deleteFrom('webhook_progress')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)
    .execute()
}

/** For each failing webhook, since when it has failed. */
export async function readFailing(
  db: Db,
  accountId: string,
  webhookIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (webhookIds.length === 0) return new Map()
  const rows = await on(db)
    .selectFrom('webhook_progress')
    .select(['webhook_id', 'failing_since_ms'])
    .where('account_id', '=', accountId)
    .where('webhook_id', 'in', webhookIds)
    .where('failing_since_ms', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [row.webhook_id, row.failing_since_ms!]))
}

const ofKey = (db: Db, { accountId, webhookId }: WebhookKey) =>
  on(db)
    .updateTable('webhook_progress')
    .where('account_id', '=', accountId)
    .where('webhook_id', '=', webhookId)

export interface ClaimOptions extends Claim {
  readonly untilMs: number
}

/** Leases webhooks with work, of all accounts. */
export async function claimWebhooks(platform: Db, options: ClaimOptions): Promise<readonly WebhookKey[]> {
  const { lease, nowMs, untilMs, isPoor, busyAccounts, mostEach, most } = options
  const { rows } = await sql<WebhookKey>`
    select account_id as "accountId", webhook_id as "webhookId"
      from claim_webhooks(${lease}, ${nowMs}, ${untilMs}, ${isPoor}, ${busyAccounts}::uuid[], ${mostEach}, ${most})
  `.execute(platform)
  return rows
}
