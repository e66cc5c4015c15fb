import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import type { Account, OrderSystem } from './order-system.ts'
import { anOrder, type Order, type OrderKind, orderKinds, sendOrder } from './orders.ts'

/** Rows by table: records, audit entries, events, keys. */
export type RowCounts = ReadonlyMap<string, number>

/** Counts what orders leave, in all accounts together. */
export interface Effects {
  /** Kinds of which a single order does not leave its record, its audit entry and its key. */
  readonly wrongUnits: readonly string[]
  count(): Promise<RowCounts>
  /** How many rows are there too many or too few since then, if these orders were carried out once each. */
  amiss(since: RowCounts, orders: readonly Order[]): Promise<number>
}

/** Learns what one order of each kind leaves, from one that runs alone. */
export async function measureEffects(it: OrderSystem): Promise<Effects> {
  const count = () => countRows(it.database)
  const carryOut = async (kind: OrderKind, account: Account) => {
    const order = anOrder(kind)
    const answer = await sendOrder({ api: it.apis[0], account, key: randomUUID(), order })
    if (answer.status !== 201) throw new Error(`${kind} gives ${answer.status} at rest: ${answer.text}`)
  }
  const units = new Map<OrderKind, RowCounts>()
  for (const kind of orderKinds) {
    // The first of a kind leaves more, such as a total that is kept for the account.
    for (const account of [it.one, it.other]) await carryOut(kind, account)
    const before = await count()
    await carryOut(kind, it.one)
    units.set(kind, difference(await count(), before))
  }
  const wrongUnits = orderKinds.flatMap((kind) => {
    const unit = units.get(kind)!
    const [record, key, audit] = [recordTables[kind], 'idempotency_keys', 'audit_entries'].map((table) =>
      unit.get(table),
    )
    // The output that a channel begins with has an audit entry of its own.
    const isRight = record === 1 && key === 1 && audit === (kind === 'channel' ? 2 : 1)
    return isRight ? [] : [`${kind} leaves ${JSON.stringify(Object.fromEntries(unit))}`]
  })
  return {
    wrongUnits,
    count,
    async amiss(since, orders) {
      const rest = new Map(difference(await count(), since))
      for (const { kind } of orders) {
        for (const [table, rows] of units.get(kind)!) rest.set(table, (rest.get(table) ?? 0) - rows)
      }
      return [...rest.values()].reduce((sum, rows) => sum + Math.abs(rows), 0)
    },
  }
}

const recordTables: Readonly<Record<OrderKind, string>> = {
  channel: 'linear_channels',
  brand: 'brands',
  appKey: 'app_keys',
  user: 'users',
}

/** Who carried the order out: the ids of the requests in the audit record, of which there has to be one. */
export async function carriedOutBy({ platform }: Database, requestIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct request_id as id from audit_entries
     where request_id in (${sql.join(requestIds)})`.execute(platform)
  return rows.map(({ id }) => id)
}

/** Sessions come and go with the accounts' logins, which are no orders. */
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
