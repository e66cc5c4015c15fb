import { createHash } from 'node:crypto'
import { type CommandResponse, type ConstructorOptions, PgBoss } from 'pg-boss'

/** Where pg-boss keeps its tables. */
export const SCHEMA = 'pgboss'

/** The queue of jobs that are not retried any more. */
export const DEAD_LETTERS = 'dead_letters'

/** After how long pg-boss takes the jobs of a silent worker; its minimum. Ours comes first (supervision.ts). */
export const HEARTBEAT_SECONDS = 10

/** How often the workers together look for jobs of silent workers. */
export const SUPERVISE_SECONDS = 1

/** Completed jobs slow down every query of the table, so they are not kept for long. */
const DELETE_EVERY_SECONDS = 60

/**
 * One each for fetching, heartbeats and supervision. Separate from the pool of the handlers: a job must not be lost
 * because the handlers use all connections.
 */
const CONNECTIONS = 3

/** pg-boss as a worker uses it: it creates nothing, and uses PostgreSQL's clock only. */
export function createBoss(databaseUrl: string): PgBoss {
  const options = {
    connectionString: databaseUrl,
    application_name: 'continuity jobs',
    max: CONNECTIONS,
    connectionTimeoutMillis: 2_000,
    // An option of pg; without it a query on a dead connection would wait without limit.
    query_timeout: 15_000,
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: false,
    // pg-boss would use its own timer; ours waits after an outage (supervision.ts).
    supervise: false,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: DELETE_EVERY_SECONDS,
    // Only the owner may rebuild indexes; a worker only warns about bloat.
    reindex: false,
  } satisfies ConstructorOptions & { query_timeout: number }
  return new PgBoss(options)
}

/**
 * The channel that pg-boss notifies when a job can start. It offers no function that returns the name, so this
 * repeats its formula; a test fails if it changes.
 */
export const NOTIFY_CHANNEL = `pgboss_${createHash('sha224').update(SCHEMA).digest('hex').slice(0, 24)}`

/** The ids of the jobs that a call found in the claimed attempt. pg-boss returns them, but its types do not declare it. */
export function settledBy(response: CommandResponse): readonly string[] {
  return (response as { readonly settled: readonly string[] }).settled
}
