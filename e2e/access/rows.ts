import type { Sql } from '@continuity/dev/sql'
import type { FilledAccount } from './filled-account.ts'

/** Texts that belong to one account only. In an answer to another account, each is a leak. */
export interface Traces {
  readonly ids: readonly string[]
  /** E-mails, titles and all other texts that contain the account's name. */
  readonly texts: readonly string[]
}

export async function tracesOf(sql: Sql, { accountId, accountName }: FilledAccount): Promise<Traces> {
  const rows = (await everyRow(sql)).filter((row) => row.includes(accountId) || row.includes(accountName))
  const texts = [...new Set(rows.flatMap((row) => textsIn(JSON.parse(row.slice(row.indexOf('{'))))))]
  return {
    ids: texts.filter((text) => UUID.test(text)),
    texts: texts.filter((text) => text.includes(accountName)),
  }
}

/**
 * Every row, of every table, that contains an id or a text of the account. The other account may use the same texts in
 * rows of its own, but never an id.
 */
export async function rowsOf(
  sql: Sql,
  { ids, texts }: Traces,
  other: FilledAccount,
): Promise<ReadonlySet<string>> {
  const containsOne = (row: string, traces: readonly string[]) => traces.some((trace) => row.includes(trace))
  const rows = (await everyRow(sql)).filter(
    (row) => containsOne(row, ids) || (containsOne(row, texts) && !row.includes(other.accountId)),
  )
  return new Set(rows)
}

/** Every row that names the account as its own. */
export const ownRowsOf = async (sql: Sql, { accountId }: FilledAccount): Promise<string[]> =>
  (await everyRow(sql)).filter((row) => row.includes(`"account_id": "${accountId}"`))

export const changedRows = (before: ReadonlySet<string>, after: ReadonlySet<string>): string[] => [
  ...[...before.difference(after)].map((row) => `deleted: ${row}`),
  ...[...after.difference(before)].map((row) => `new: ${row}`),
]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** All rows as text, under the name of their table. */
async function everyRow(sql: Sql): Promise<string[]> {
  const tables = await sql.query<{ name: string; table: string }>(
    `select tablename as name, format('%I.%I', schemaname, tablename) as table from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`,
  )
  const found: string[] = []
  for (const { name, table } of tables) {
    const rows = await sql.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t order by 1`,
    )
    found.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return found
}
