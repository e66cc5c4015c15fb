import pg from 'pg'

/** Statements on a database. After an outage the next one connects again. */
export interface Sql {
  query<Row>(text: string, params?: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export function openSql(url: string): Sql {
  const pool = new pg.Pool({ connectionString: url, max: 4, types: { getTypeParser } })
  // Without a listener, the loss of an idle connection would end the process.
  pool.on('error', () => {})
  return {
    query: async <Row>(text: string, params: readonly unknown[] = []) =>
      (await pool.query(text, [...params])).rows as Row[],
    close: () => pool.end(),
  }
}

/** Counts and times are well below 2^53. */
function getTypeParser(oid: Oid, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)
}

type Oid = Parameters<typeof pg.types.getTypeParser>[0]
