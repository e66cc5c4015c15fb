import { appendFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateSchema } from '@continuity/server/owner'
import pg from 'pg'
import { setAccountTraps } from './account-traps.ts'
import { makeHome } from './make-home.ts'
import { startPrivatePostgres } from './private-postgres.ts'
import { removeHome } from './remove-home.ts'

export interface TestPostgres extends AsyncDisposable {
  /** Of the migrated database that test files clone. */
  readonly templateUrl: string
  readonly serviceUrl: string
}

/** What a test loses in a crash was not worth a sync. */
const HASTY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']

/** A PostgreSQL for a run of tests, with one migrated database that each test file makes its own copy of. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-test-'))
  await makeHome(home)
  const options = { home, searchPath: process.env['PATH'] ?? '', log: () => {}, serverSettings: HASTY }
  const postgres = await startPrivatePostgres({ ...options, binDir: process.env['PG_BIN_DIR'] })
  const dispose = async () => {
    await postgres.stop()
    await removeHome(home)
  }
  try {
    const template = 'continuity_template'
    await createDatabase(postgres.ownerUrl, template)
    const templateUrl = withDatabase(postgres.ownerUrl, template)
    await migrateSchema(templateUrl, { nowMs: Date.now() })
    const serviceUrl = withDatabase(postgres.url, template)
    const withTraps = nameWithTraps(template)
    await createDatabase(postgres.ownerUrl, `${withTraps} template ${template}`)
    await setAccountTraps(withDatabase(postgres.ownerUrl, withTraps))
    return { templateUrl, serviceUrl, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** The folder of a cluster with a migrated database, which the systems of a run of tests copy. */
export async function makeTestCluster(home: string): Promise<string> {
  await makeHome(home)
  const options = { home, searchPath: process.env['PATH'] ?? '', log: () => {}, serverSettings: HASTY }
  const postgres = await startPrivatePostgres({ ...options, binDir: process.env['PG_BIN_DIR'] })
  try {
    await migrateSchema(postgres.ownerUrl, { nowMs: Date.now() })
  } finally {
    await postgres.stop()
  }
  await appendFile(join(postgres.folder, 'data/postgresql.conf'), UNSYNCED)
  return postgres.folder
}

/** What a killed server has written the kernel still has, so that tests which kill one lose nothing. */
const UNSYNCED = 'fsync = off\nfull_page_writes = off\n'

/** The database beside a template, in which a statement that lacks an account filter fails. */
export const nameWithTraps = (template: string): string => `${template}_traps`

/** The same server and role, another database. */
export function withDatabase(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

async function createDatabase(ownerUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(ownerUrl, 'postgres') })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
}
