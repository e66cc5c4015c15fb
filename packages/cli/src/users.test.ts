import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aUser, runLine } from './testing/a-world.ts'

const who = '--account north --email duty@north.example'
const createUser = () => Promise.resolve(aUser)
const changeUser = () => Promise.resolve(aUser)

test('a user gets a generated password, which is printed once', async () => {
  const line = `users create ${who} --roles ROLE_USER,ROLE_OPERATOR`

  const { calls, printed } = await runLine(line, { actions: { createUser } })

  const { password, ...draft } = calls[0]![2] as { password: string }
  assert.deepEqual(draft, { email: 'duty@north.example', name: '', roles: ['ROLE_USER', 'ROLE_OPERATOR'] })
  assert.match(password, /^[\w-]{20}$/)
  assert.equal(
    printed,
    `  user      duty@north.example
  id        0195c1de-6f00-7a10-8000-000000007001
  name      Night desk
  roles     ROLE_USER,ROLE_OPERATOR
  status    ACTIVE
  password  ${password}

The password is not shown again.`,
  )
})

test('no two users get the same password', async () => {
  const line = `users password ${who} --json`

  const first = await runLine(line, { actions: { changeUser } })
  const second = await runLine(line, { actions: { changeUser } })

  const passwordIn = (text: string) => (JSON.parse(text) as { password: string }).password
  assert.notEqual(passwordIn(first.printed), passwordIn(second.printed))
})

test('a password from standard input is used without its line break, and not printed', async () => {
  const line = `users create ${who} --roles SCHEDULE --password-stdin`

  const { calls, printed } = await runLine(line, { actions: { createUser }, input: 'tide table 7\n' })

  assert.deepEqual(calls[0]?.[2], {
    email: 'duty@north.example',
    name: '',
    password: 'tide table 7',
    roles: ['SCHEDULE'],
  })
  assert.doesNotMatch(printed, /tide|password/)
})

test('an empty standard input is an error', async () => {
  const line = `users password ${who} --password-stdin`

  const { exitCode, errorOutput, calls } = await runLine(line, { actions: { changeUser }, input: '\n' })

  assert.equal(exitCode, 1)
  assert.equal(errorOutput, 'Standard input contains no password.')
  assert.deepEqual(calls, [['close']])
})

test('a password is never an argument', async () => {
  for (const argument of ['--password=hunter2', '--password hunter2']) {
    const { exitCode, errorOutput } = await runLine(`users password ${who} ${argument}`)

    assert.equal(exitCode, 2)
    assert.doesNotMatch(errorOutput, /hunter2/)
  }
})

test('roles are replaced, without duplicates', async () => {
  const { calls } = await runLine(`users roles ${who} --set SCHEDULE,ROLE_USER,SCHEDULE`, {
    actions: { changeUser },
  })

  assert.deepEqual(calls[0], [
    'changeUser',
    'north',
    'duty@north.example',
    { roles: ['SCHEDULE', 'ROLE_USER'] },
  ])
})

test('rejects a role that cannot be granted, and lists those that can', async () => {
  for (const roles of ['ROLE_ANONYMOUS', 'admin', '']) {
    const { exitCode, errorOutput } = await runLine(`users roles ${who} --set ROLE_USER,${roles}`)

    assert.equal(exitCode, 2)
    assert.match(errorOutput, /Available roles: ROLE_USER, ROLE_ADMIN, ROLE_OPERATOR, SCHEDULE\./)
  }
})

test('rejects an invalid e-mail address', async () => {
  for (const email of ['north', 'a@b@c', '@north.example', 'a\u0000@b', `${'a'.repeat(250)}@b.cd`]) {
    const { exitCode, calls } = await runLine(`users disable --account north --email ${email}`)

    assert.equal(exitCode, 2, email)
    assert.deepEqual(calls, [])
  }
})

test('a user is disabled and enabled', async () => {
  const disabled = await runLine(`users disable ${who}`, { actions: { changeUser } })
  const enabled = await runLine(`users enable ${who}`, { actions: { changeUser } })

  assert.deepEqual(disabled.calls[0]?.[3], { status: 'DISABLED' })
  assert.deepEqual(enabled.calls[0]?.[3], { status: 'ACTIVE' })
})

test('users are listed as a table', async () => {
  const listUsers = () =>
    Promise.resolve([aUser, { ...aUser, email: 'a@north.example', last_login: '2026-03-01T18:00:00.000Z' }])

  const { printed } = await runLine('users list --account north', { actions: { listUsers } })

  assert.equal(
    printed,
    `  email               name        roles                    status  last login
  duty@north.example  Night desk  ROLE_USER,ROLE_OPERATOR  ACTIVE  never
  a@north.example     Night desk  ROLE_USER,ROLE_OPERATOR  ACTIVE  2026-03-01T18:00:00.000Z`,
  )
})
