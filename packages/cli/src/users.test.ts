import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aUser, runLine } from './testing/a-world.ts'

const who = '--account north --email duty@north.example'
const createUser = () => Promise.resolve(aUser)
const changeUser = () => Promise.resolve(aUser)

test('a user gets a password that is made here, and it is shown once', async () => {
  const line = `users create ${who} --roles ROLE_USER,ROLE_OPERATOR`

  const { asked, printed } = await runLine(line, { actions: { createUser } })

  const { password, ...draft } = asked[0]![2] as { password: string }
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

test('a password from standard input is taken without its line break, and not shown', async () => {
  const line = `users create ${who} --roles SCHEDULE --password-stdin`

  const { asked, printed } = await runLine(line, { actions: { createUser }, input: 'tide table 7\n' })

  assert.deepEqual(asked[0]?.[2], {
    email: 'duty@north.example',
    name: '',
    password: 'tide table 7',
    roles: ['SCHEDULE'],
  })
  assert.doesNotMatch(printed, /tide|password/)
})

test('an empty standard input is no password', async () => {
  const line = `users password ${who} --password-stdin`

  const { exitCode, complained, asked } = await runLine(line, { actions: { changeUser }, input: '\n' })

  assert.equal(exitCode, 1)
  assert.equal(complained, 'Standard input holds no password.')
  assert.deepEqual(asked, [['close']])
})

test('a password is never an argument', async () => {
  for (const argument of ['--password=hunter2', '--password hunter2']) {
    const { exitCode, complained } = await runLine(`users password ${who} ${argument}`)

    assert.equal(exitCode, 2)
    assert.doesNotMatch(complained, /hunter2/)
  }
})

test('roles are given anew, each once', async () => {
  const { asked } = await runLine(`users roles ${who} --set SCHEDULE,ROLE_USER,SCHEDULE`, {
    actions: { changeUser },
  })

  assert.deepEqual(asked[0], [
    'changeUser',
    'north',
    'duty@north.example',
    { roles: ['SCHEDULE', 'ROLE_USER'] },
  ])
})

test('a role that cannot be granted is refused with those that can', async () => {
  for (const roles of ['ROLE_ANONYMOUS', 'admin', '']) {
    const { exitCode, complained } = await runLine(`users roles ${who} --set ROLE_USER,${roles}`)

    assert.equal(exitCode, 2)
    assert.match(complained, /There are ROLE_USER, ROLE_ADMIN, ROLE_OPERATOR, SCHEDULE\./)
  }
})

test('what is no e-mail address is refused', async () => {
  for (const email of ['north', 'a@b@c', '@north.example', 'a\u0000@b', `${'a'.repeat(250)}@b.cd`]) {
    const { exitCode, asked } = await runLine(`users disable --account north --email ${email}`)

    assert.equal(exitCode, 2, email)
    assert.deepEqual(asked, [])
  }
})

test('a user is kept out, and let in again', async () => {
  const disabled = await runLine(`users disable ${who}`, { actions: { changeUser } })
  const enabled = await runLine(`users enable ${who}`, { actions: { changeUser } })

  assert.deepEqual(disabled.asked[0]?.[3], { status: 'DISABLED' })
  assert.deepEqual(enabled.asked[0]?.[3], { status: 'ACTIVE' })
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
