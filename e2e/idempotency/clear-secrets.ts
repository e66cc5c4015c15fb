import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'

/** How many of the secrets are stored in clear, in any table, as text or as bytes. */
export async function countClearSecrets({ platform }: Database, secrets: readonly string[]): Promise<number> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`.execute(platform)
  const texts: string[] = []
  for (const { name } of tables) {
    // PostgreSQL prints bytes in hexadecimal digits.
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.raw(name)} t`.execute(
      platform,
    )
    texts.push(...rows.map(({ text }) => text))
  }
  const all = texts.join('\n')
  return secrets.filter((secret) => all.includes(secret) || all.includes(Buffer.from(secret).toString('hex')))
    .length
}
