import type pg from 'pg'

/** Indexes and references that are dropped while a table is filled, as statements that recreate them. */
export interface DroppedIndexes {
  /** By table. */
  readonly indexes: ReadonlyMap<string, readonly string[]>
  readonly references: readonly string[]
}

/**
 * Drops all indexes but primary keys, and all references: maintaining them row by row would take most of the time.
 */
export async function dropIndexes(owner: pg.Client, tables: readonly string[]): Promise<DroppedIndexes> {
  const references = await owner.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])`,
    [tables],
  )
  for (const { table, name } of references.rows)
    await owner.query(`alter table ${table} drop constraint "${name}"`)
  const indexes = await owner.query<{ table: string; name: string; definition: string }>(
    `select tablename as table, indexname as name, indexdef as definition from pg_indexes
      where schemaname = 'public' and tablename = any($1)
        and not exists (select from pg_constraint where conindid = format('%I', indexname)::regclass)`,
    [tables],
  )
  for (const { name } of indexes.rows) await owner.query(`drop index "${name}"`)
  return {
    indexes: new Map(
      tables.map((table) => [
        table,
        indexes.rows.filter((row) => row.table === table).map(({ definition }) => definition),
      ]),
    ),
    references: references.rows.map(
      ({ table, name, definition }) => `alter table ${table} add constraint "${name}" ${definition}`,
    ),
  }
}
