import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { compileCache } from '@continuity/dev/compile-cache'
import { projectRoot } from '@continuity/dev/project-root'
import { anEmptyDatabase, aReleasedDatabase } from '../../packages/server/src/platform/testing/a-database.ts'

const { ownerUrl } = await aReleasedDatabase()

test('a new database is migrated, and then no migration is missing', async () => {
  const url = await anEmptyDatabase()

  const before = await continuity(url, 'migrate', '--check')
  const migrated = await continuity(url, 'migrate')
  const after = await continuity(url, 'migrate', '--check')

  assert.equal(before.exitCode, 1)
  assert.match(before.output, /^Missing:\n {2}0001-accounts\n/)
  assert.match(migrated.output, /^applied 0001-accounts\n/)
  assert.deepEqual(after, { exitCode: 0, output: 'The schema is up to date.\n', stderr: '' })
})

test('an account is created once, and shown as it was created', async () => {
  const made = await continuity(
    ownerUrl,
    'accounts',
    'create',
    'north',
    '--title',
    'North TV',
    '--country',
    'de',
  )
  const again = await continuity(ownerUrl, 'accounts', 'create', 'north')
  const shown = await continuity(ownerUrl, 'accounts', 'show', 'north', '--json')

  assert.equal(made.exitCode, 0, made.stderr)
  assert.deepEqual(again, { exitCode: 1, output: '', stderr: 'There is an account "north" already.\n' })
  const { account_id, created_date, ...rest } = JSON.parse(shown.output) as Record<string, unknown>
  assert.ok(made.output.includes(String(account_id)) && Date.parse(String(created_date)) > 0)
  assert.deepEqual(rest, {
    account_name: 'north',
    title: 'North TV',
    country: 'DE',
    frame_rate: 30,
    segment_ms: 3_200,
    loudness_lufs: -23,
    is_format_frozen: false,
  })
})

test('accounts are listed by name', async () => {
  await continuity(ownerUrl, 'accounts', 'create', 'west', '--frame-rate', '25', '--segment-ms', '6400')
  await continuity(ownerUrl, 'accounts', 'create', 'east')

  const listed = await continuity(ownerUrl, 'accounts', 'list', '--json')

  const names = (JSON.parse(listed.output) as { account_name: string }[]).map(
    (account) => account.account_name,
  )
  assert.deepEqual(names, names.toSorted())
  assert.ok(names.includes('west') && names.includes('east'))
})

test('the password of a new user is printed once, and is not in its record', async () => {
  await continuity(ownerUrl, 'accounts', 'create', 'crew')
  const who = ['--account', 'crew', '--email', 'Duty@Crew.example'] as const

  const made = await continuity(
    ownerUrl,
    'users',
    'create',
    ...who,
    '--roles',
    'ROLE_ADMIN,SCHEDULE',
    '--json',
  )
  const again = await continuity(ownerUrl, 'users', 'create', ...who, '--roles', 'ROLE_USER')
  const listed = await continuity(ownerUrl, 'users', 'list', '--account', 'crew', '--json')

  const { password, ...user } = JSON.parse(made.output) as Record<string, unknown>
  assert.match(String(password), /^[\w-]{20}$/)
  assert.deepEqual(JSON.parse(listed.output), [user])
  assert.equal(user['email'], 'duty@crew.example')
  assert.match(again.stderr, /already has this e-mail\.\nChange that user instead/)
})

test('a user gets other roles and another password, is disabled and enabled again', async () => {
  await continuity(ownerUrl, 'accounts', 'create', 'desk')
  const admin = ['--account', 'desk', '--email', 'a@desk.example'] as const
  const user = ['--account', 'desk', '--email', 'u@desk.example'] as const
  await continuity(ownerUrl, 'users', 'create', ...admin, '--roles', 'ROLE_ADMIN')
  await continuity(ownerUrl, 'users', 'create', ...user, '--roles', 'ROLE_USER')

  const roles = await continuity(ownerUrl, 'users', 'roles', ...user, '--set', 'ROLE_OPERATOR', '--json')
  const password = await withInput(
    'tide table 7\n',
    ownerUrl,
    'users',
    'password',
    ...user,
    '--password-stdin',
  )
  const weak = await withInput('U@desk.example\n', ownerUrl, 'users', 'password', ...user, '--password-stdin')
  const disabled = await continuity(ownerUrl, 'users', 'disable', ...user)
  const enabled = await continuity(ownerUrl, 'users', 'enable', ...user)
  const last = await continuity(ownerUrl, 'users', 'disable', ...admin)

  assert.equal(roles.exitCode, 0, roles.stderr)
  assert.deepEqual((JSON.parse(roles.output) as { roles: string[] }).roles, ['ROLE_OPERATOR'])
  assert.equal(password.exitCode, 0, password.stderr)
  assert.doesNotMatch(password.output, /tide|password/)
  assert.match(weak.stderr, /must not be the e-mail/)
  assert.match(disabled.output, /status +DISABLED/)
  assert.match(enabled.output, /status +ACTIVE/)
  assert.match(last.stderr, /last active user with ROLE_ADMIN/)
})

test('an app key is printed once, and stays listed when it is revoked', async () => {
  await continuity(ownerUrl, 'accounts', 'create', 'apps')
  const account = ['--account', 'apps'] as const

  const made = await continuity(
    ownerUrl,
    'app-keys',
    'create',
    ...account,
    '--app-name',
    'north-tv',
    '--json',
  )
  const { sdk_key, ...key } = JSON.parse(made.output) as { sdk_key: string; app_key_id: string }
  const revoked = await continuity(
    ownerUrl,
    'app-keys',
    'revoke',
    ...account,
    '--id',
    key.app_key_id,
    '--json',
  )
  const listed = await continuity(ownerUrl, 'app-keys', 'list', ...account, '--json')

  assert.match(sdk_key, /^sdk_/)
  assert.deepEqual(JSON.parse(revoked.output), { ...key, status: 'REVOKED' })
  assert.deepEqual(JSON.parse(listed.output), [{ ...key, status: 'REVOKED' }])
})

test('errors are reported with advice', async () => {
  const faults: readonly (readonly [url: string, args: readonly string[], stderr: RegExp])[] = [
    [ownerUrl, ['accounts', 'show', 'nroth'], /no account "nroth"\.\nSee "continuity accounts list"/],
    [ownerUrl, ['users', 'list', '--account', 'nroth'], /no account "nroth"/],
    [ownerUrl, ['users', 'enable', '--account', 'north', '--email', 'x@y.z'], /no user x@y\.z\.\nSee/],
    [ownerUrl, ['app-keys', 'revoke', '--account', 'north', '--id', 'x'], /no app key x\.\nSee/],
    [ownerUrl, ['accounts', 'create', 'North!'], /"North!" is not a valid account name/],
    [await anEmptyDatabase(), ['accounts', 'list'], /Run "continuity migrate"/],
    ['postgres://u:hunter2@127.0.0.1:1/x', ['accounts', 'list'], /Check that PostgreSQL is running/],
    ['postgres://u:hunter2@127.0.0.1:1/x', ['migrate'], /Check that PostgreSQL is running/],
    [withPassword(ownerUrl, 'hunter2'), ['accounts', 'list'], /rejects the password/],
    ['', ['accounts', 'list'], /DATABASE_OWNER_URL is not set/],
  ]
  for (const [url, args, stderr] of faults) {
    const result = await continuity(url, ...args)

    assert.equal(result.exitCode, 1, args.join(' '))
    assert.match(result.stderr, stderr)
    assert.doesNotMatch(result.stderr, /hunter2|\bat .+:\d+:\d+/)
  }
})

interface Result {
  readonly exitCode: number
  readonly output: string
  readonly stderr: string
}

const continuity = (databaseOwnerUrl: string, ...args: readonly string[]) =>
  withInput('', databaseOwnerUrl, ...args)

function withInput(input: string, databaseOwnerUrl: string, ...args: readonly string[]): Promise<Result> {
  const program = join(projectRoot, 'packages/cli/src/continuity.ts')
  const env = {
    ...compileCache(projectRoot),
    PATH: process.env['PATH'],
    DATABASE_OWNER_URL: databaseOwnerUrl,
  }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env, timeout: 60_000 },
      (error, output, stderr) =>
        resolve({ exitCode: error === null ? 0 : Number(error.code), output, stderr }),
    )
    child.stdin?.end(input)
  })
}

const withPassword = (url: string, password: string) => Object.assign(new URL(url), { password }).href
