import type { BlockEnd } from '@continuity/core/audience/heartbeat-block'
import type { KeptBlock } from '@continuity/core/audience/import-heartbeats'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'

/** Blocks of a session to be read. */
export interface WantedBlocks {
  readonly session: string
  readonly whole: readonly number[]
  /** Blocks of which only the last record is read. */
  readonly ends: readonly number[]
}

interface BlockRow {
  readonly session: string
  readonly hour_ms: number
  readonly heartbeats: Uint8Array
  readonly growths: number
  readonly is_started: boolean
}

/** Locks imports of the account until the end of the transaction; false if another one is running. */
export async function lockImport(tx: Transaction, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ readonly locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`audience_import ${accountId}`}, 0)) as locked`.execute(
    tx,
  )
  return rows[0]!.locked
}

/** Blocks by session and hour. */
export async function readBlocks(
  tx: Transaction,
  accountId: string,
  wanted: readonly WantedBlocks[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, KeptBlock>>> {
  const list = wanted.flatMap(({ session, whole, ends }) => [
    ...whole.map((hourMs) => ({ session, hourMs, isWhole: true })),
    ...ends.map((hourMs) => ({ session, hourMs, isWhole: false })),
  ])
  const { rows } = await sql<BlockRow>`
    select b.session, b.hour_ms, b.growths, b.is_started,
           case when w.is_whole then b.heartbeats
                else substring(b.heartbeats from octet_length(b.heartbeats) - 9) end as heartbeats
      from unnest(${list.map(({ session }) => session)}::text[], ${list.map(({ hourMs }) => hourMs)}::bigint[],
                  ${list.map(({ isWhole }) => isWhole)}::boolean[]) as w(session, hour_ms, is_whole)
      join audience_log_blocks b on b.account_id = ${accountId} and b.session = w.session and b.hour_ms = w.hour_ms`.execute(
    tx,
  )
  const sessions = new Map<string, Map<number, KeptBlock>>()
  for (const { session, hour_ms, heartbeats, growths, is_started } of rows) {
    const blocks = sessions.get(session) ?? new Map<number, KeptBlock>()
    sessions.set(session, blocks)
    blocks.set(hour_ms, { startMs: hour_ms, records: heartbeats, end: endOf(growths, is_started) })
  }
  return sessions
}

/** Of `growths` the last bit is whether the player did not play, and the rest what is owed. */
const growthsOf = ({ owedMs, isIdle }: BlockEnd): number => owedMs * 2 + (isIdle ? 1 : 0)

const endOf = (growths: number, isStarted: boolean): BlockEnd => ({
  owedMs: Math.floor(growths / 2),
  isIdle: growths % 2 !== 0,
  isStarted,
})

export interface SessionBlock extends KeptBlock {
  readonly session: string
}

export async function saveBlocks(
  tx: Transaction,
  accountId: string,
  blocks: readonly SessionBlock[],
): Promise<void> {
  if (blocks.length === 0) return
  await sql`
    insert into audience_log_blocks (account_id, session, hour_ms, heartbeats, growths, is_started)
    select ${accountId}::uuid, session, hour_ms, heartbeats, growths, is_started
      from unnest(${blocks.map(({ session }) => session)}::text[],
                  ${blocks.map(({ startMs }) => startMs)}::bigint[],
                  ${blocks.map(({ records }) => Buffer.from(records))}::bytea[],
                  ${blocks.map(({ end }) => growthsOf(end))}::integer[],
                  ${blocks.map(({ end }) => end.isStarted)}::boolean[])
           as b(session, hour_ms, heartbeats, growths, is_started)
    on conflict (account_id, session, hour_ms) do update set
      heartbeats = excluded.heartbeats, growths = excluded.growths, is_started = excluded.is_started`.execute(
    tx,
  )
}

export async function deleteBlocks(db: Db, beforeMs: number, most: number): Promise<number> {
  const { rows } = await sql<{ readonly deleted: number }>`
    select forget_audience_log_blocks(${beforeMs}, ${most}) as deleted`.execute(db)
  return rows[0]!.deleted
}
