import pg from 'pg'
import type { Logger } from './logger.ts'

export interface Database {
  /** Rejects when PostgreSQL does not answer in time. */
  ping(): Promise<void>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 2_000
const PING_TIMEOUT_MS = 2_000

/** One connection, for nothing but the question whether PostgreSQL is there. */
export function openDatabase(url: string, options: { logger: Logger }): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: PING_TIMEOUT_MS,
    application_name: 'continuity',
  })
  // An idle connection that breaks is replaced on next use; unheard, the event would end the process.
  pool.on('error', (error) =>
    options.logger.warn({ error: error.message }, 'an idle database connection broke'),
  )
  return {
    ping: async () => {
      await pool.query('select 1')
    },
    close: () => pool.end(),
  }
}
