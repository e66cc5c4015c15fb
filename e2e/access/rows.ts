import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import type { Difference } from './differences.ts'
import type { FilledAccount } from './filled-account.ts'

/** Texts that belong to one account only. In an answer to another account, each is a leak. */
export interface Traces {
  readonly ids: readonly string[]
  /** E-mails, titles and all other texts that contain the account's name. */
  readonly texts: readonly string[]
}

export async function tracesOf(
  database: Database,
  { accountId, accountName }: FilledAccount,
): Promise<Traces> {
  const rows = (await everyRow(database)).filter(
    (row) => row.includes(accountId) || row.includes(accountName),
  )
  const texts = [...new Set(rows.flatMap((row) => textsIn(JSON.parse(row.slice(row.indexOf('{'))))))]
  return {
    ids: texts.filter((text) => UUID.test(text)),
    texts: texts.filter((text) => text.includes(accountName)),
  }
}

/**
 * Every row, of every table, that contains an id or a text of the account. The
 * other account may use the same texts in rows of its own, but never an id.
 */
export async function rowsOf(
  database: Database,
  { ids, texts }: Traces,
  other: FilledAccount,
): Promise<string[]> {
  const containsOne = (row: string, traces: readonly string[]) => traces.some((trace) => row.includes(trace))
  const rows = await everyRow(database)
  return rows.filter(
    (row) => containsOne(row, ids) || (containsOne(row, texts) && !row.includes(other.accountId)),
  )
}

/** Every row that names the account as its own. */
export async function ownRowsOf(database: Database, { accountId }: FilledAccount): Promise<string[]> {
  return (await everyRow(database)).filter((row) => row.includes(`"account_id": "${accountId}"`))
}

export function changedRows(before: readonly string[], after: readonly string[]): Difference[] {
  const [were, are] = [new Set(before), new Set(after)]
  const what = 'a row of the other account'
  const list = (rows: Set<string>, expected: string, how: string) =>
    [...rows].map((row) => ({
      operation: row.slice(0, row.indexOf(' ')),
      what,
      expected,
      got: `${how}: ${row}`,
    }))
  return [
    ...list(were.difference(are), 'unchanged', 'deleted'),
    ...list(are.difference(were), 'no new row', 'new'),
  ]
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** All rows as text, under the name of their table. */
async function everyRow({ platform: db }: Database): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`.execute(db)
  const found: string[] = []
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(`${schema}.${name}`)} t order by 1`.execute(db)
    found.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return found
}
