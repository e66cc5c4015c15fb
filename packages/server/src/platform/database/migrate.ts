import pg from 'pg'
import { type Migration, readMigrations } from './migrations.ts'

export interface MigrateOptions {
  readonly nowMs: number
  readonly log?: (line: string) => void
  readonly migrations?: readonly Migration[]
  /** For other components with migrations of their own; runs under the same lock. */
  readonly afterwards?: (client: pg.Client) => Promise<void>
}

/** Any number that no other advisory lock in the database uses. */
const LOCK = 7_276_651_104

/** The longest that a migration waits for a lock and blocks the requests queued behind it. */
const LOCK_WAIT_MS = 3_000
const TRIES = 20

/** The role of every process except the migrator. */
export const SERVICE_ROLE = 'continuity_service'

/**
 * Migrates the schema to this release: each migration in its own transaction, forward only, one migrator at a time.
 * Returns the applied migrations.
 */
export async function migrate(ownerUrl: string, options: MigrateOptions): Promise<readonly Migration[]> {
  const migrations = options.migrations ?? (await readMigrations())
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'continuity migrate' })
  await client.connect()
  try {
    await requireServiceRole(client)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(HISTORY)
    const pending = findPending(migrations, await readHistory(client))
    for (const migration of pending) {
      await applyPatiently(client, migration, options.nowMs)
      options.log?.(describe(migration))
    }
    await options.afterwards?.(client)
    return pending
  } finally {
    // The lock ends with the connection.
    await client.end()
  }
}

const HISTORY = `
  create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    breaking text,
    applied_ms bigint not null
  );
  grant select on schema_migrations to ${SERVICE_ROLE}`

export interface AppliedMigration {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly breaking: string | null
}

/** The migrations applied to a database so far. */
export async function readHistory(client: pg.ClientBase): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select version, name, checksum, breaking from schema_migrations order by version',
  )
  return rows
}

/**
 * The migrations that are still to be applied. One that was changed after it was applied is rejected: two databases
 * would have the same version and differ.
 */
export function findPending(
  migrations: readonly Migration[],
  history: readonly AppliedMigration[],
): readonly Migration[] {
  const applied = new Map(history.map((entry) => [entry.version, entry]))
  for (const { version, name, checksum } of migrations) {
    const before = applied.get(version)
    if (before !== undefined && before.checksum !== checksum) {
      throw new Error(`migration ${version} (${name}) is not the one that was applied as ${before.name}`)
    }
  }
  return migrations.filter(({ version }) => !applied.has(version))
}

async function requireServiceRole(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [SERVICE_ROLE])
  if (rowCount === 0) {
    throw new Error(
      `the role ${SERVICE_ROLE} does not exist: an administrator creates it with ` +
        `"create role ${SERVICE_ROLE} login password '…'"`,
    )
  }
}

/** Waits for locks with a short timeout and retries, because all other statements queue behind a waiting one. */
async function applyPatiently(client: pg.Client, migration: Migration, nowMs: number): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await apply(client, migration, nowMs)
      return
    } catch (error) {
      await client.query('rollback')
      const isLockedOut = (error as { code?: string }).code === '55P03'
      if (!isLockedOut || tried === TRIES) {
        throw new Error(`migration ${describe(migration)} failed: ${(error as Error).message}`, {
          cause: error,
        })
      }
    }
  }
}

async function apply(client: pg.Client, migration: Migration, nowMs: number): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${LOCK_WAIT_MS}`)
  await client.query(migration.sql)
  const { version, name, checksum, breaking } = migration
  await client.query(
    'insert into schema_migrations (version, name, checksum, breaking, applied_ms) values ($1, $2, $3, $4, $5)',
    [version, name, checksum, breaking ?? null, nowMs],
  )
  await client.query('commit')
}

const describe = ({ version, name, breaking }: Migration) =>
  `${String(version).padStart(4, '0')}-${name}${breaking === undefined ? '' : ` (breaking: ${breaking})`}`
