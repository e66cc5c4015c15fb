import pg from 'pg'
import type { ServerTime } from '../clock/reference-clock.ts'
import type { Logger } from '../log/logger.ts'

export interface DatabasePing {
  /** Rejects when PostgreSQL does not answer in time. */
  ping(): Promise<void>
  /** The time of its clock. */
  readTime(): Promise<ServerTime>
  close(): Promise<void>
}

const TIMEOUT_MS = 2_000

/** A connection for readiness checks only: a busy pool does not make the process unready. */
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
  // Without it a connection that breaks in use would end the process; its statement is rejected anyway.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', (error) => logger.warn({ error: error.message }, 'database: ping connection lost'))
  return {
    ping: async () => {
      await pool.query('select 1')
    },
    async readTime() {
      // Acquired before the round trip is timed: waiting for or opening a connection is not part of it.
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
