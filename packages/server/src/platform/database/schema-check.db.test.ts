import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { createLog } from '../log/logger.ts'
import { anEmptyDatabase, aReleasedDatabase } from '../testing/a-database.ts'
import { openDatabase } from './database.ts'
import { type Migration, readMigrations } from './migrations.ts'
import { findSchemaFault, judgeSchema } from './schema-check.ts'

const it = await aReleasedDatabase()
const migrations = await readMigrations()
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })

function faultOf(t: TestContext, url: string): Promise<string | undefined> {
  const database = openDatabase(url, { connections: 1, logger })
  t.after(() => database.close())
  return findSchemaFault(database.platform, migrations)
}

test('the service role passes the check on the schema of its release', async (t) => {
  assert.equal(await faultOf(t, it.serviceUrl), undefined)
})

test('the owner of the tables is rejected: row-level security does not apply to it', async (t) => {
  assert.match((await faultOf(t, it.ownerUrl)) ?? '', /^the role continuity bypasses row-level security/)
})

test('a member of the owner role, which inherits its rights, is rejected', async (t) => {
  const role = `member_${randomBytes(6).toString('hex')}`
  await asSuperuser(`create role ${role} login password 'test' in role continuity`)
  t.after(() => asSuperuser(`drop role ${role}`))

  const fault = await faultOf(t, urlOf(role, 'test'))

  assert.match(fault ?? '', new RegExp(`^the role ${role} bypasses row-level security`))
})

test('a superuser is rejected, even before there is a table', async (t) => {
  const empty = Object.assign(new URL(superuserUrl()), {
    pathname: new URL(await anEmptyDatabase()).pathname,
  })

  assert.match((await faultOf(t, empty.href)) ?? '', /^the role postgres bypasses row-level security/)
})

test('a role with BYPASSRLS is rejected', async (t) => {
  const role = `bypass_${randomBytes(6).toString('hex')}`
  await asSuperuser(`create role ${role} login bypassrls password 'test' in role continuity_service`)
  t.after(() => asSuperuser(`drop role ${role}`))

  assert.match((await faultOf(t, urlOf(role, 'test'))) ?? '', /bypasses row-level security/)
})

test('a missing migration is reported with the command that applies it', () => {
  const [first, ...rest] = migrations

  const fault = judgeSchema(migrations, rest.map(toApplied))

  assert.equal(fault, `the schema lacks ${first!.name} (migration 1): run "continuity migrate"`)
})

test('a newer schema is accepted unless one of its migrations is breaking', () => {
  const newer = { version: migrations.length + 1, name: 'newer', checksum: '', breaking: null }
  const history = migrations.map(toApplied)

  assert.equal(judgeSchema(migrations, [...history, newer]), undefined)
  assert.match(
    judgeSchema(migrations, [...history, { ...newer, breaking: 'channels have moved' }]) ?? '',
    /newer than this release .*channels have moved/,
  )
})

const toApplied = ({ version, name, checksum, breaking }: Migration) => ({
  version,
  name,
  checksum,
  breaking: breaking ?? null,
})

/** All roles of a test server have the same password. */
const superuserUrl = () => Object.assign(new URL(it.ownerUrl), { username: 'postgres' }).href

const urlOf = (username: string, password: string) =>
  Object.assign(new URL(it.serviceUrl), { username, password }).href

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl() })
  await client.connect()
  await client.query(statement)
  await client.end()
}
