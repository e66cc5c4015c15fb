import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import type { Account, IdempotencySystem } from './idempotency-system.ts'
import { anWrite, sendWrite, type Write, type WriteKind, writeKinds } from './writes.ts'

/** Rows by table: records, audit entries, events, keys. */
export type RowCounts = ReadonlyMap<string, number>

/** Counts the rows that writes create, in all accounts together. */
export interface Effects {
  /** Kinds of which a single write does not create its record, its audit entry and its key. */
  readonly wrongUnits: readonly string[]
  count(): Promise<RowCounts>
  /** How many rows are missing or surplus since then, if each of these writes was carried out once. */
  countWrongRows(since: RowCounts, writes: readonly Write[]): Promise<number>
}

/** Measures the rows that one write of each kind creates, with one that runs alone. */
export async function measureEffects(it: IdempotencySystem): Promise<Effects> {
  const count = () => countRows(it.database)
  const carryOut = async (kind: WriteKind, account: Account) => {
    const write = anWrite(kind)
    const answer = await sendWrite({ api: it.apis[0], account, key: randomUUID(), write })
    if (answer.status !== 201)
      throw new Error(`${kind} gives ${answer.status} when sent alone: ${answer.text}`)
  }
  const units = new Map<WriteKind, RowCounts>()
  for (const kind of writeKinds) {
    // The first of a kind creates more, such as a total of the account.
    for (const account of [it.one, it.other]) await carryOut(kind, account)
    const before = await count()
    await carryOut(kind, it.one)
    units.set(kind, difference(await count(), before))
  }
  const wrongUnits = writeKinds.flatMap((kind) => {
    const unit = units.get(kind)!
    const [record, key, audit] = [recordTables[kind], 'idempotency_keys', 'audit_entries'].map((table) =>
      unit.get(table),
    )
    // The output that a channel begins with has an audit entry of its own.
    const isRight = record === 1 && key === 1 && audit === (kind === 'channel' ? 2 : 1)
    return isRight ? [] : [`${kind} creates ${JSON.stringify(Object.fromEntries(unit))}`]
  })
  return {
    wrongUnits,
    count,
    async countWrongRows(since, writes) {
      const rest = new Map(difference(await count(), since))
      for (const { kind } of writes) {
        for (const [table, rows] of units.get(kind)!) rest.set(table, (rest.get(table) ?? 0) - rows)
      }
      return [...rest.values()].reduce((sum, rows) => sum + Math.abs(rows), 0)
    },
  }
}

const recordTables: Readonly<Record<WriteKind, string>> = {
  channel: 'linear_channels',
  brand: 'brands',
  appKey: 'app_keys',
  user: 'users',
}

/** The ids of the requests that carried the write out, from the audit entries. There has to be exactly one. */
export async function carriedOutBy({ platform }: Database, requestIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct request_id as id from audit_entries
     where request_id in (${sql.join(requestIds)})`.execute(platform)
  return rows.map(({ id }) => id)
}

/** Tables that logins change. */
const NO_EFFECTS = ['sessions', 'user_addresses']

async function countRows({ platform }: Database): Promise<RowCounts> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'account_id'`.execute(platform)
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    if (NO_EFFECTS.includes(name)) continue
    const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(name)}`.execute(platform)
    counts.set(name, rows[0]!.count)
  }
  return counts
}

const difference = (after: RowCounts, before: RowCounts): RowCounts =>
  new Map([...after].map(([table, rows]) => [table, rows - (before.get(table) ?? 0)]))
