import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { anEmptyDatabase } from '../testing/a-database.ts'
import { migrate } from './migrate.ts'
import { type Migration, readMigrations } from './migrations.ts'
import { judgeSchema } from './schema-check.ts'

test('a fresh database gets every migration once, and a second run finds nothing to do', async () => {
  const url = await anEmptyDatabase()
  const all = await readMigrations()

  const first = await migrate(url, { nowMs: 0 })
  const second = await migrate(url, { nowMs: 0 })

  assert.deepEqual(first, all)
  assert.deepEqual(second, [])
})

test('twenty concurrent migrators apply each migration once', async () => {
  const url = await anEmptyDatabase()

  const applied = await Promise.all(Array.from({ length: 20 }, () => migrate(url, { nowMs: 0 })))

  const versions = applied.flat().map(({ version }) => version)
  assert.deepEqual(
    versions,
    (await readMigrations()).map(({ version }) => version),
  )
})

test('a migration that was changed after it had been applied is rejected', async () => {
  const url = await anEmptyDatabase()
  await migrate(url, { nowMs: 0, migrations: [aMigration(1, 'select 1')] })

  const changed = migrate(url, { nowMs: 0, migrations: [aMigration(1, 'select 2')] })

  await assert.rejects(changed, /migration 1 .* is not the one that was applied/)
})

test('a migration that fails is rolled back, and those before it stay applied', async (t) => {
  const url = await anEmptyDatabase()
  const broken = aMigration(2, 'create table two (); select 1 / 0')

  const failing = migrate(url, { nowMs: 0, migrations: [aMigration(1, 'create table one ()'), broken] })

  await assert.rejects(failing, /0002-test failed: division by zero/)
  assert.deepEqual(await tablesOf(t, url), ['one', 'schema_migrations'])
})

test('a migration retries with a short lock timeout until it gets its lock', async (t) => {
  const url = await anEmptyDatabase()
  await migrate(url, { nowMs: 0, migrations: [aMigration(1, 'create table one ()')] })
  const holder = await connect(t, url)
  await holder.query('begin; lock table one')

  const migrating = migrate(url, {
    nowMs: 0,
    migrations: [aMigration(1, 'create table one ()'), aMigration(2, 'alter table one add column x integer')],
  })
  await untilWaiting(t, url)
  await holder.query('commit')

  assert.equal((await migrating).length, 1)
})

test('a process accepts a newer schema unless a migration is marked as breaking', () => {
  const [one, two] = [aMigration(1), aMigration(2)]
  const applied = (...list: readonly Migration[]) =>
    list.map((entry) => ({ ...entry, breaking: entry.breaking ?? null }))

  assert.equal(judgeSchema([one], applied(one)), undefined)
  assert.equal(judgeSchema([one], applied(one, two)), undefined)
  assert.match(judgeSchema([one, two], applied(one)) ?? '', /lacks test .*run "continuity migrate"/)
  assert.match(
    judgeSchema([one], applied(one, { ...two, breaking: 'drops x' })) ?? '',
    /drops x.*newer release/,
  )
})

function aMigration(version: number, sql = `select ${version}`): Migration {
  return { version, name: 'test', sql, checksum: sql, breaking: undefined }
}

async function connect(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: randomBytes(4).toString('hex') })
  await client.connect()
  t.after(() => client.end())
  return client
}

async function tablesOf(t: TestContext, url: string): Promise<string[]> {
  const client = await connect(t, url)
  const { rows } = await client.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  )
  return rows.map(({ name }) => name)
}

async function untilWaiting(t: TestContext, url: string): Promise<void> {
  const client = await connect(t, url)
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  while ((await client.query(waiting)).rowCount === 0);
}
