import pg from 'pg'
import { findPending, readHistory } from './migrate.ts'
import { type Migration, readMigrations } from './migrations.ts'

/** SQLSTATE undefined_table: a new database has no history yet. */
const NO_TABLE = '42P01'

/** The migrations of this release that a database lacks. Changes nothing and takes no locks. */
export async function findMissingMigrations(ownerUrl: string): Promise<readonly Migration[]> {
  const migrations = await readMigrations()
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'continuity migrate --check' })
  await client.connect()
  try {
    const history = await readHistory(client).catch((error: { code?: string }) => {
      if (error.code === NO_TABLE) return []
      throw error
    })
    return findPending(migrations, history)
  } finally {
    await client.end()
  }
}
