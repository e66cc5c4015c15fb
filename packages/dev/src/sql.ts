import pg from 'pg'

/** A database that tests and proofs look into from outside, without the server's code. */
export interface Sql {
  query<Row extends object = Record<string, unknown>>(
    text: string,
    params?: readonly unknown[],
  ): Promise<Row[]>
  close(): Promise<void>
}

export function openSql(url: string): Sql {
  const pool = new pg.Pool({ connectionString: url, max: 2, types: { getTypeParser } })
  // A server that is killed ends idle connections; the next statement opens another one.
  pool.on('error', () => {})
  return {
    async query<Row extends object>(text: string, params: readonly unknown[] = []) {
      return (await pool.query<Row>(text, [...params])).rows
    },
    close: () => pool.end(),
  }
}

/** Times, counts and ticks are bigint and fit into a number. */
const getTypeParser = (oid: Oid, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format)

type Oid = Parameters<typeof pg.types.getTypeParser>[0]
