import { createHash } from 'node:crypto'
import type pg from 'pg'
import { platformTables } from './schema-lists.ts'

/** A table of accounts, with what an insert needs. */
export interface IsolatedTable {
  readonly name: string
  /** Columns that a row cannot do without. */
  readonly columns: readonly IsolatedColumn[]
}

interface IsolatedColumn {
  readonly name: string
  readonly type: string
  /** The first of the values that a check of the column allows; null where it allows any. */
  readonly allowed: string | null
  /** The column of another table that this one must refer to, as `table.column`; null where it may refer to nothing. */
  readonly refersTo: string | null
  /** The column that defines its value: itself, or the one at the end of its references. */
  readonly origin: string
}

/** The tables of accounts, those that are referred to before those that refer to them. */
export async function readIsolatedTables(owner: pg.Client): Promise<IsolatedTable[]> {
  // A row has 1 for every time, and tables that are partitioned by time have a partition for it.
  await owner.query('select make_audience_day(0)')
  const values = [Object.keys(platformTables)]
  const { rows } = await owner.query<Omit<IsolatedColumn, 'origin'> & { table: string }>(COLUMNS, values)
  const names = [...new Set(rows.map(({ table }) => table))]
  const tables = names.map((name) => ({
    name,
    columns: rows
      .filter(({ table }) => table === name)
      .map((row) => ({ ...row, origin: originOf(rows, row) })),
  }))
  return inOrder(tables)
}

/** A referenced column may be a reference itself: the value is made at the end of the chain. */
function originOf(
  rows: readonly { readonly table: string; readonly name: string; readonly refersTo: string | null }[],
  {
    table,
    name,
    refersTo,
  }: { readonly table: string; readonly name: string; readonly refersTo: string | null },
): string {
  const row = rows.find((it) => `${it.table}.${it.name}` === refersTo)
  return row === undefined ? (refersTo ?? `${table}.${name}`) : originOf(rows, row)
}

const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
         (select substring(pg_get_constraintdef(oid) from '(?:=|<@) (?:ANY \\(+)?(?:ARRAY\\[)?''?([^'',\\]:)]+)')
            from pg_constraint where conrelid = c.oid and contype = 'c' and conkey = array[a.attnum] limit 1) as allowed,
         (select f.confrelid::regclass || '.' || r.attname
            from pg_constraint f join pg_attribute r
              on r.attrelid = f.confrelid and r.attnum = f.confkey[array_position(f.conkey, a.attnum)]
           where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey)
             and not exists (select from pg_attribute n
                              where n.attrelid = c.oid and n.attnum = any(f.conkey) and not n.attnotnull)
           limit 1) as "refersTo"
    from pg_class c join pg_attribute a on a.attrelid = c.oid
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> all($1)
     and a.attnum > 0 and not a.attisdropped and a.attnotnull and not a.atthasdef and a.attidentity = ''
   order by c.relname, a.attnum`

function inOrder(tables: readonly IsolatedTable[]): IsolatedTable[] {
  const done: IsolatedTable[] = []
  while (done.length < tables.length) {
    const isDone = (name: string) => done.some((table) => table.name === name)
    const next = tables.find((table) => !isDone(table.name) && neededBy(table).every(isDone))
    if (next === undefined) throw new Error('tables that must have a row refer to each other in a circle')
    done.push(next)
  }
  return done
}

const neededBy = ({ name, columns }: IsolatedTable) =>
  columns.flatMap(({ refersTo }) => refersTo?.split('.')[0] ?? []).filter((table) => table !== name)

/** A row of an account: the same one each time, and another one for another account. */
export function rowOf(table: IsolatedTable, accountId: string): { names: string[]; values: string[] } {
  return {
    names: table.columns.map(({ name }) => `"${name}"`),
    values: table.columns.map((column) => valueIn(column, accountId)),
  }
}

function valueIn({ name, type, allowed, origin }: IsolatedColumn, accountId: string): string {
  if (name === 'account_id' || origin.endsWith('.account_id')) return accountId
  if (allowed !== null) return type.endsWith('[]') ? `{${allowed}}` : allowed
  const make = valuesByType[type]
  if (make === undefined)
    throw new Error(`tools/architecture/isolated-rows.ts has no value of type ${type} for ${origin}`)
  return make(createHash('md5').update(`${origin} ${accountId}`).digest('hex'))
}

const valuesByType: Readonly<Record<string, (seed: string) => string>> = {
  uuid: (seed) => seed,
  text: (seed) => seed,
  'text[]': (seed) => `{${seed}}`,
  'uuid[]': (seed) => `{${seed}}`,
  bytea: (seed) => `\\x${seed}`,
  jsonb: () => '{}',
  tsvector: () => '',
  boolean: () => 'false',
  integer: () => '1',
  bigint: () => '1',
  'double precision': () => '1',
}
