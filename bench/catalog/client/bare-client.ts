import pg from 'pg'
import { BIG_ACCOUNT } from '../load/accounts.ts'
import type { Statement } from './record-statements.ts'

/** Connections that send the server's statements and discard the results. */
export interface BareClient extends AsyncDisposable {
  query(statements: readonly Statement[], connection: number): Promise<void>
}

export async function openBareClient(serviceUrl: string, connections: number): Promise<BareClient> {
  const opened = Array.from({ length: connections }, () => new pg.Client({ connectionString: serviceUrl }))
  for (const client of opened) {
    await client.connect()
    await client.query("select set_config('app.account_id', $1, false)", [BIG_ACCOUNT])
    // As on the server's connections: JIT compilation would take longer than the statement.
    await client.query('set jit = off')
  }
  const names = new Map<string, string>()
  const nameOf = (text: string) => {
    if (!names.has(text)) names.set(text, `b${names.size}`)
    return names.get(text)!
  }
  return {
    async query(statements, connection) {
      for (const { sql, parameters } of statements) {
        await opened[connection]!.query({ name: nameOf(sql), text: sql, values: [...parameters] })
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((client) => client.end()))
    },
  }
}
