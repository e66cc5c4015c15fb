import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { createLog } from '../logger.ts'
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

test('the role of the service may work on the schema of its release', async (t) => {
  assert.equal(await faultOf(t, it.serviceUrl), undefined)
})

test('the owner of the tables is refused: row-level security does not hold for it', async (t) => {
  assert.match((await faultOf(t, it.ownerUrl)) ?? '', /^the role continuity passes row-level security by/)
})

test('so is a member of that role, which inherits it', async (t) => {
  const role = `member_${randomBytes(6).toString('hex')}`
  await asSuperuser(`create role ${role} login password 'test' in role continuity`)
  t.after(() => asSuperuser(`drop role ${role}`))

  const fault = await faultOf(t, urlOf(role, 'test'))

  assert.match(fault ?? '', new RegExp(`^the role ${role} passes row-level security by`))
})

test('so is a superuser, even before there is a table', async (t) => {
  const empty = Object.assign(new URL(superuserUrl()), {
    pathname: new URL(await anEmptyDatabase()).pathname,
  })

  assert.match((await faultOf(t, empty.href)) ?? '', /^the role postgres passes row-level security by/)
})

test('so is a role that is allowed to pass by', async (t) => {
  const role = `bypass_${randomBytes(6).toString('hex')}`
  await asSuperuser(`create role ${role} login bypassrls password 'test' in role continuity_service`)
  t.after(() => asSuperuser(`drop role ${role}`))

  assert.match((await faultOf(t, urlOf(role, 'test'))) ?? '', /passes row-level security by/)
})

test('a schema that lacks a migration is named with the way to mend it', () => {
  const [first, ...rest] = migrations

  const fault = judgeSchema(migrations, rest.map(toApplied))

  assert.equal(fault, `the schema lacks ${first!.name} (migration 1): run "continuity migrate"`)
})

test('a newer schema is fine, unless it says that it is not', () => {
  const newer = { version: migrations.length + 1, name: 'newer', checksum: '', breaking: null }
  const history = migrations.map(toApplied)

  assert.equal(judgeSchema(migrations, [...history, newer]), undefined)
  assert.match(
    judgeSchema(migrations, [...history, { ...newer, breaking: 'channels have moved' }]) ?? '',
    /has moved on .*channels have moved/,
  )
})

const toApplied = ({ version, name, checksum, breaking }: Migration) => ({
  version,
  name,
  checksum,
  breaking: breaking ?? null,
})

/** All roles of a test's server have one password. */
const superuserUrl = () => Object.assign(new URL(it.ownerUrl), { username: 'postgres' }).href

const urlOf = (username: string, password: string) =>
  Object.assign(new URL(it.serviceUrl), { username, password }).href

async function asSuperuser(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl() })
  await client.connect()
  await client.query(statement)
  await client.end()
}
