import pg from 'pg'
import type { Logger } from '../logger.ts'

export interface DatabasePing {
  /** Rejects when PostgreSQL does not answer in time. */
  ping(): Promise<void>
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
  pool.on('error', (error) => logger.warn({ error: error.message }, 'the connection for pings broke'))
  return {
    ping: async () => {
      await pool.query('select 1')
    },
    close: () => pool.end(),
  }
}
