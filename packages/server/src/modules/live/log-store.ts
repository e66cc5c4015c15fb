import type { BreakLog } from '@continuity/core/live/break-log'
import { followLog, type SlotLog, type StoredLog } from '@continuity/core/live/slot-log'
import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import { LOG_KEPT_MS } from '../../platform/live-bus/live-streams.ts'
import type { SourceId } from './sync-source.ts'

interface LiveLogRow {
  account_id: string
  live_source_id: string
  input: number
  log: string
  stored_ms: number
}

interface LiveBreaksRow {
  account_id: string
  live_source_id: string
  log: string
  version: number
}

const on = tables<{ live_logs: LiveLogRow; live_breaks: LiveBreaksRow }>()

export interface InputLog extends StoredLog {
  readonly sourceId: string
  readonly input: 0 | 1
}

export async function listLogs(db: Db, accountId: string, sourceIds: readonly string[]): Promise<InputLog[]> {
  const rows = await on(db)
    .selectFrom('live_logs')
    .select(['live_source_id', 'input', 'log', 'stored_ms'])
    .where('account_id', '=', accountId)
    .where('live_source_id', '=', sql<string>`any(${sourceIds}::uuid[])`)
    .execute()
  return rows.map(({ live_source_id, input, log, stored_ms }) => ({
    sourceId: live_source_id,
    input: input === 1 ? 1 : 0,
    log: JSON.parse(log) as SlotLog,
    storedMs: stored_ms,
  }))
}

/** Merges the log from the bus into the copy; nothing is removed from the copy. */
export async function saveLog(
  tx: Transaction,
  { accountId, sourceId }: SourceId,
  known: StoredLog | undefined,
  { input, ...found }: Omit<InputLog, 'sourceId'>,
): Promise<void> {
  const keptFrom = Math.floor((found.storedMs - LOG_KEPT_MS) / found.log.slotMs)
  const { log, storedMs } = followLog(known, found, keptFrom)
  const row = { log: JSON.stringify(log), stored_ms: storedMs }
  await on(tx)
    .insertInto('live_logs')
    .values({ account_id: accountId, live_source_id: sourceId, input, ...row })
    .onConflict((conflict) => conflict.columns(['account_id', 'live_source_id', 'input']).doUpdateSet(row))
    .execute()
}

export interface SourceBreaks extends BreakLog {
  readonly sourceId: string
}

export async function listBreaks(
  db: Db,
  accountId: string,
  sourceIds: readonly string[],
): Promise<SourceBreaks[]> {
  const rows = await on(db)
    .selectFrom('live_breaks')
    .select(['live_source_id', 'log'])
    .where('account_id', '=', accountId)
    .where('live_source_id', '=', sql<string>`any(${sourceIds}::uuid[])`)
    .execute()
  return rows.map(({ live_source_id, log }) => ({
    ...(JSON.parse(log) as BreakLog),
    sourceId: live_source_id,
  }))
}

/** Keeps the newer version. */
export async function saveBreaks(
  tx: Transaction,
  { accountId, sourceId }: SourceId,
  { version, slotMs, breaks }: BreakLog,
): Promise<void> {
  const log = JSON.stringify({ version, slotMs, breaks })
  await sql`
    insert into live_breaks (account_id, live_source_id, log, version)
    values (${accountId}, ${sourceId}, ${log}, ${version})
    on conflict (account_id, live_source_id)
    do update set log = excluded.log, version = excluded.version
     where live_breaks.version < excluded.version`.execute(tx)
}
