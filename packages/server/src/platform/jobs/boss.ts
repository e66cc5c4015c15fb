import { createHash } from 'node:crypto'
import { type CommandResponse, type ConstructorOptions, PgBoss } from 'pg-boss'

/** Where pg-boss keeps its tables. */
export const SCHEMA = 'pgboss'

/** Where jobs lie that will not be tried again. */
export const DEAD_LETTERS = 'dead_letters'

/** When pg-boss itself takes the jobs of a silent worker; it allows no less. Ours comes first (supervision.ts). */
export const HEARTBEAT_SECONDS = 10

/** How often the workers look for jobs of the silent, together and not each. */
export const SUPERVISE_SECONDS = 1

/** Completed jobs are looked through with the rest, so they are not kept for long. */
const DELETE_EVERY_SECONDS = 60

/**
 * Taking, heartbeats and supervision, one each. They are not those of the
 * handlers: a job must not be lost because others have taken all connections.
 */
const CONNECTIONS = 3

/** The queue as a worker uses it: nothing is created, and no time but the machine's plays a part. */
export function createBoss(databaseUrl: string): PgBoss {
  const options = {
    connectionString: databaseUrl,
    application_name: 'continuity jobs',
    max: CONNECTIONS,
    connectionTimeoutMillis: 2_000,
    // pg's own; without it a connection that went silent would be waited for without end.
    query_timeout: 15_000,
    schema: SCHEMA,
    migrate: false,
    createSchema: false,
    schedule: false,
    // By a timer of its own; ours waits after an outage (supervision.ts).
    supervise: false,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: DELETE_EVERY_SECONDS,
    // Indexes are the owner's to rebuild; a worker only tells that one has grown.
    reindex: false,
  } satisfies ConstructorOptions & { query_timeout: number }
  return new PgBoss(options)
}

/**
 * What pg-boss calls when a job was left that can start now. It offers no way to
 * ask for the name of the channel, so this follows its formula; a test would
 * notice another one.
 */
export const NOTIFY_CHANNEL = `pgboss_${createHash('sha224').update(SCHEMA).digest('hex').slice(0, 24)}`

/** Which of the jobs that a call was about it found to be held as said. pg-boss gives it, but not in its types. */
export function settledBy(response: CommandResponse): readonly string[] {
  return (response as { readonly settled: readonly string[] }).settled
}
