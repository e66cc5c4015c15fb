import pg from 'pg'
import { printSchema } from '../../tools/architecture/schema-dump.ts'

/** What is in a database: how many rows each table has and a hash of them, the position of each sequence, the schema. */
export interface DatabaseState {
  readonly tables: ReadonlyMap<string, { readonly rows: number; readonly hash: string }>
  readonly sequences: ReadonlyMap<string, string>
  /** With owners and rights. */
  readonly schema: string
}

/** Reads everything in a database, past row-level security. */
export async function readState(superuserUrl: string): Promise<DatabaseState> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    const tables = new Map<string, { rows: number; hash: string }>()
    for (const name of await namesOf(client, 'r')) {
      const { rows } = await client.query<{ rows: string; hash: string }>(
        `select count(*) as rows, coalesce(md5(string_agg(hash, '' order by hash)), '') as hash
           from (select md5(one::text) as hash from ${name} as one) as hashed`,
      )
      tables.set(name, { rows: Number(rows[0]!.rows), hash: rows[0]!.hash })
    }
    const sequences = new Map<string, string>()
    for (const name of await namesOf(client, 'S')) {
      const { rows } = await client.query<{ position: string }>(
        `select concat(last_value, ' ', is_called) as position from ${name}`,
      )
      sequences.set(name, rows[0]!.position)
    }
    return { tables, sequences, schema: await printSchema(superuserUrl, []) }
  } finally {
    await client.end()
  }
}

/** Names of all tables (`r`, among them the partitions) or sequences (`S`), quoted where needed. */
async function namesOf(client: pg.Client, kind: 'r' | 'S'): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name
       from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = $1 and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      order by 1`,
    [kind],
  )
  return rows.map(({ name }) => name)
}

/** Names of what differs between two databases. */
export function differencesOf(before: DatabaseState, after: DatabaseState): readonly string[] {
  const names = new Set([...before.tables.keys(), ...after.tables.keys()])
  const isOther = (name: string) => {
    const [one, two] = [before.tables.get(name), after.tables.get(name)]
    return one?.rows !== two?.rows || one?.hash !== two?.hash
  }
  const sequences = new Set([...before.sequences.keys(), ...after.sequences.keys()])
  return [
    ...[...names].filter(isOther),
    ...[...sequences].filter((name) => before.sequences.get(name) !== after.sequences.get(name)),
    ...(before.schema === after.schema ? [] : ['the schema']),
  ]
}
