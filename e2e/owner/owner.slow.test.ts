import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSql } from '@continuity/dev/sql'
import { startTestPostgres, withDatabase } from '@continuity/dev/test-postgres'
import { startTool } from '../catalog/continuity.ts'

const postgres = await startTestPostgres()
after(() => postgres[Symbol.asyncDispose]())
const sql = openSql(withDatabase(postgres.templateUrl, 'postgres'))
await sql.query(`create database platform template ${new URL(postgres.templateUrl).pathname.slice(1)}`)
await sql.query('create database empty')
await sql.close()
const ownerUrl = withDatabase(postgres.templateUrl, 'platform')
const emptyUrl = withDatabase(postgres.templateUrl, 'empty')

/** Runs `continuity` with the words of a line. */
const run = (line: string, { url = ownerUrl, input = '' } = {}) =>
  startTool({ DATABASE_OWNER_URL: url }, line.split(' '), input).result

const jsonOf = async <T>(line: string): Promise<T> => JSON.parse((await run(`${line} --json`)).output) as T

test('errors are reported with advice', async () => {
  const nowhere = 'postgres://u:hunter2@127.0.0.1:1/x'
  const wrongPassword = Object.assign(new URL(ownerUrl), { password: 'hunter2' }).href
  const faults: readonly (readonly [line: string, complaint: RegExp, url?: string])[] = [
    ['accounts show nroth', /no account "nroth"\.\nSee "continuity accounts list"/],
    ['users list --account nroth', /no account "nroth"/],
    ['accounts create North!', /"North!" is not a valid account name/],
    ['accounts list', /Run "continuity migrate"/, emptyUrl],
    ['accounts list', /Check that PostgreSQL is running/, nowhere],
    ['migrate', /Check that PostgreSQL is running/, nowhere],
    ['accounts list', /rejects the password/, wrongPassword],
    ['accounts list', /DATABASE_OWNER_URL is not set/, ''],
  ]
  for (const [line, complaint, url = ownerUrl] of faults) {
    const result = await run(line, { url })

    assert.equal(result.exitCode, 1, line)
    assert.match(result.complaint, complaint)
    assert.doesNotMatch(result.complaint, /hunter2|\bat .+:\d+:\d+/)
  }
})

test('a new database is migrated, and then no migration is missing', async () => {
  const before = await run('migrate --check', { url: emptyUrl })
  const migrated = await run('migrate', { url: emptyUrl })
  const after = await run('migrate --check', { url: emptyUrl })

  assert.equal(before.exitCode, 1)
  assert.match(before.output, /^Missing:\n {2}0001-accounts\n/)
  assert.match(migrated.output, /^applied 0001-accounts\n/)
  assert.deepEqual(after, { exitCode: 0, output: 'The schema is up to date.\n', complaint: '' })
})

test('an account is created once, and shown as it was created', async () => {
  const made = await run('accounts create north --title North --country de')
  const again = await run('accounts create north')
  const shown = await jsonOf<Record<string, unknown>>('accounts show north')
  await run('accounts create east --frame-rate 25 --segment-ms 6400')
  const listed = await jsonOf<readonly { account_name: string }[]>('accounts list')

  assert.equal(made.exitCode, 0, made.complaint)
  const complaint = 'There is an account "north" already.\n'
  assert.deepEqual(again, { exitCode: 1, output: '', complaint })
  const { account_id, created_date, ...rest } = shown
  assert.ok(made.output.includes(String(account_id)) && Date.parse(String(created_date)) > 0)
  assert.deepEqual(rest, {
    account_name: 'north',
    title: 'North',
    country: 'DE',
    frame_rate: 30,
    segment_ms: 3_200,
    loudness_lufs: -23,
    is_format_frozen: false,
  })
  const names = listed.map(({ account_name }) => account_name)
  assert.deepEqual(names, ['east', 'north'])
})

test('a user gets a password that is printed once, other roles and another password, and is disabled and enabled', async () => {
  await run('accounts create desk')
  const admin = '--account desk --email a@desk.example'
  const user = '--account desk --email U@desk.example'
  await run(`users create ${admin} --roles ROLE_ADMIN`)

  const { password, ...made } = await jsonOf<Record<string, unknown>>(
    `users create ${user} --roles ROLE_USER,SCHEDULE`,
  )
  const again = await run(`users create ${user} --roles ROLE_USER`)
  const listed = await jsonOf<readonly Record<string, unknown>[]>('users list --account desk')
  const changed = await jsonOf<{ roles: string[] }>(`users roles ${user} --set ROLE_OPERATOR`)
  const typed = await run(`users password ${user} --password-stdin`, { input: 'tide table 7\n' })
  const weak = await run(`users password ${user} --password-stdin`, { input: 'u@desk.example\n' })
  const disabled = await run(`users disable ${user}`)
  const enabled = await run(`users enable ${user}`)
  const last = await run(`users disable ${admin}`)

  assert.match(String(password), /^[\w-]{20}$/)
  assert.equal(made['email'], 'u@desk.example')
  assert.match(again.complaint, /already has this e-mail\.\nChange that user instead/)
  assert.deepEqual(
    listed.find(({ email }) => email === 'u@desk.example'),
    made,
  )
  assert.deepEqual(changed.roles, ['ROLE_OPERATOR'])
  assert.equal(typed.exitCode, 0, typed.complaint)
  assert.doesNotMatch(typed.output, /tide|password/)
  assert.match(weak.complaint, /must not be the e-mail/)
  assert.match(disabled.output, /status +DISABLED/)
  assert.match(enabled.output, /status +ACTIVE/)
  assert.match(last.complaint, /last active user with ROLE_ADMIN/)
})

test('an app key is printed once, and stays listed when it is revoked', async () => {
  await run('accounts create apps')

  const { sdk_key, ...key } = await jsonOf<{ sdk_key: string; app_key_id: string }>(
    'app-keys create --account apps --app-name north-tv',
  )
  const revoked = await jsonOf(`app-keys revoke --account apps --id ${key.app_key_id}`)
  const listed = await jsonOf('app-keys list --account apps')

  assert.match(sdk_key, /^sdk_/)
  assert.deepEqual(revoked, { ...key, status: 'REVOKED' })
  assert.deepEqual(listed, [{ ...key, status: 'REVOKED' }])
})
