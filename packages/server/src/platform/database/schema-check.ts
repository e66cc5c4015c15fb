import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { AppliedMigration } from './migrate.ts'
import type { Migration } from './migrations.ts'

/** Why this release cannot use a database; undefined where it can. */
export async function findSchemaFault(db: Db, migrations: readonly Migration[]): Promise<string | undefined> {
  // The owner of a table bypasses row-level security too, without any attribute of its role.
  const role = await sql<{ name: string; is_above: boolean }>`
    select current_user as name, rolsuper or rolbypassrls or exists (
             select from pg_class where relrowsecurity and not row_security_active(oid)) as is_above
      from pg_roles where rolname = current_user`.execute(db)
  const { name, is_above: isAbove } = role.rows[0]!
  if (isAbove) return `the role ${name} bypasses row-level security: use continuity_service`
  const history = await sql<AppliedMigration>`
    select version, name, checksum, breaking from schema_migrations`
    .execute(db)
    .catch((error: unknown) => {
      if ((error as { code?: string }).code === '42P01') return { rows: [] }
      throw error
    })
  return judgeSchema(migrations, history.rows)
}

/** A schema may be newer than the process, unless a newer migration is marked as breaking. */
export function judgeSchema(
  migrations: readonly Migration[],
  history: readonly AppliedMigration[],
): string | undefined {
  const applied = new Set(history.map(({ version }) => version))
  const missing = migrations.find(({ version }) => !applied.has(version))
  if (missing !== undefined) {
    return `the schema lacks ${missing.name} (migration ${missing.version}): run "continuity migrate"`
  }
  const known = migrations.length
  const breaking = history.find((entry) => entry.version > known && entry.breaking !== null)
  if (breaking === undefined) return undefined
  return `the schema is newer than this release (migration ${breaking.version}: ${breaking.breaking}): run the newer release`
}
