import pg from 'pg'
import type { ServerTime } from '../clock/reference-clock.ts'
import type { Logger } from '../logger.ts'

export interface DatabasePing {
  /** Rejects when PostgreSQL does not answer in time. */
  ping(): Promise<void>
  /** What its clock shows. */
  readTime(): Promise<ServerTime>
  close(): Promise<void>
}

const TIMEOUT_MS = 2_000

/** A connection for nothing but the question whether PostgreSQL is there: a busy pool is no reason to say no. */
export function openPing(url: string, { logger }: { readonly logger: Logger }): DatabasePing {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    application_name: 'continuity ping',
    // A server that does not answer must not keep the process from ending.
    allowExitOnIdle: true,
  })
  // Else a connection that breaks while it is in use would end the process; its statement is rejected anyway.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => logger.warn({ error: error.message }, 'the connection for pings broke'))
  return {
    ping: async () => {
      await pool.query('select 1')
    },
    async readTime() {
      // Taken before the round trip is timed: waiting for a connection, or opening one, is no part of it.
      const client = await pool.connect()
      try {
        const fromMs = performance.now()
        const { rows } = await client.query<{ ms: string }>(
          'select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms',
        )
        const toMs = performance.now()
        client.release()
        return { serverMs: Number(rows[0]!.ms), fromMs, toMs }
      } catch (error) {
        client.release(true)
        throw error
      }
    },
    close: () => pool.end(),
  }
}
