import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Endpoint, operationList, operations } from '@continuity/contract'
import { claimsOf, describeAnswer, everyWay, forEachAtOnce, headersOf, logIn, registerDevice } from './api.ts'
import {
  expiredCredentials,
  findAccepted,
  forgedCredentials,
  incompleteCredentials,
  misusedCredentials,
  signToken,
  voidCredentials,
} from './credentials.ts'
import { checkOtherAccount, ownRowsOf } from './other-account.ts'
import { isOpen, listedIds, mayCall, roles } from './roles.ts'
import { type FilledAccount, openWorld } from './world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { api, one, other } = world

const MOST_FAULTS = 20
const assertNone = (faults: readonly string[]) => assert.deepEqual(faults.slice(0, MOST_FAULTS), [])

test('roles.ts lists every operation once', () => {
  assert.deepEqual(listedIds.toSorted(), operationList.map(({ id }) => id).toSorted())
})

test('without a credential, with half of one or an expired one, every operation answers 401', async () => {
  const credentials = [
    ...incompleteCredentials(world),
    ...misusedCredentials(world),
    ...expiredCredentials(world),
  ]
  assertNone(await findAccepted(api, credentials))
})

test('every operation rejects a forged credential, with the same text however close it came', async () => {
  assertNone(await findAccepted(api, forgedCredentials(world)))
})

/** Ways to write a path that a router might resolve while the authentication check does not. */
const spellings: Readonly<Record<string, (path: string) => string>> = {
  'a slash behind': (path) => `${path}/`,
  'two slashes': (path) => path.replace('/api/', '/api//'),
  'a slash before': (path) => `/${path}`,
  'in capitals': (path) => path.toUpperCase(),
  'a dot in it': (path) => path.replace('/api/', '/api/./'),
  'up and down again': (path) => path.replace('/api/', '/livez/../api/'),
  'a letter encoded': (path) => path.replace('/api/', '/%61pi/'),
  'a slash encoded': (path) => path.replace(/\/(?=[^/]*$)/, '%2F'),
  'a parameter in it': (path) => `${path};admin=true`,
  'NUL behind': (path) => `${path}%00`,
  'a question mark behind': (path) => `${path}?`,
  'the whole address': (path) => `http://127.0.0.1${path}`,
}

/** From these some proxies and frameworks take another path or method. */
const misleading = {
  'x-original-url': '/livez',
  'x-rewrite-url': '/livez',
  'x-http-method-override': 'GET',
}

test('however a path is written, no request without a credential is accepted', async () => {
  const faults: string[] = []
  const guarded = everyWay.filter(({ operationId }) => !isOpen(operationId))
  await forEachAtOnce(guarded, async ({ name, request }) => {
    for (const [what, spell] of Object.entries(spellings)) {
      const sent = request(misleading)
      const [path = '', query] = sent.path.split('?')
      const spelt = query === undefined ? spell(path) : `${spell(path)}?${query}`
      const got = describeAnswer(await api.send({ ...sent, path: spelt }))
      // 405 where the path is that of another operation with an empty id.
      if (!/^(400|401|404|405)\b/.test(got)) faults.push(`${name}, ${what}: ${got}`)
    }
  })
  assertNone(faults)
})

test('every operation rejects a credential whose session, app key or user was ended', async () => {
  assertNone(await findAccepted(api, await voidCredentials(world)))
})

test('the ids, names, cursors and credentials of an account give another one no access', async () => {
  const { faults, textsSeen, rowsChanged } = await checkOtherAccount(world)

  assertNone(faults)
  assert.ok(textsSeen >= 10 && rowsChanged >= 10, 'leaks and changed rows are not found in the own account')
})

test('two accounts can use the same Idempotency-Key independently', async () => {
  const key = { 'idempotency-key': randomUUID() }
  const send = async (e: Endpoint, { session, names }: FilledAccount, title: string) => {
    const params = { linear_channel_id: names['second_linear_channel_id']! }
    const body = e === operations.createOutput ? { distributor: title } : { title }
    const answer = await api.call(e, { params, body, headers: { ...session.headers, ...key } })
    return { shown: describeAnswer(answer), text: answer.body }
  }
  for (const e of [operations.createSeries, operations.createOutput]) {
    const theirs = await send(e, other, 'keyed')
    const before = await ownRowsOf(world.sql, one)
    const ours = await send(e, one, 'keyed')
    const made = await ownRowsOf(world.sql, one)
    const again = await send(e, one, 'keyed')
    const repeated = await ownRowsOf(world.sql, one)
    const reused = await send(e, one, 'other')
    const theirsAgain = await send(e, other, 'keyed')

    assert.deepEqual([theirs.shown, ours.shown, reused.shown], ['201', '201', '422 idempotency.key_reused'])
    assert.ok(made.length > before.length)
    assert.deepEqual([again.text, theirsAgain.text], [ours.text, theirs.text])
    assert.deepEqual(repeated, made)
    Object.assign(key, { 'idempotency-key': randomUUID() })
  }
})

/** No user has no role, or one that only looks like a role: these credentials are signed here. */
const noRoles = [
  [],
  ...['role_admin', 'ROLE_ADMIN ', 'ROLE_ADMIN,SCHEDULE', 'ADMIN', '*', '', '__proto__'].map((role) => [
    role,
  ]),
]

test('each role can call its operations and no others', async () => {
  const sessions: { role: string; headers: Readonly<Record<string, string>> }[] = []
  for (const role of roles) {
    const email = `${role.toLowerCase()}@roles.example`
    const login = { account_name: one.accountName, email, password: 'correct horse battery staple' }
    const isDevice = role === 'ROLE_ANONYMOUS'
    if (!isDevice) await world.owner.createUser(one.accountName, { ...login, name: '', roles: [role] })
    const session = isDevice
      ? registerDevice(api, one.names['app_name']!, one.names['sdk_key']!)
      : logIn(api, login)
    sessions.push({ role, headers: (await session).headers })
  }
  const claims = claimsOf(one.session)
  for (const none of noRoles) {
    const token = signToken(world.key, { ...claims, sid: randomUUID(), roles: none })
    sessions.push({ role: JSON.stringify(none), headers: headersOf(token, claims.dev) })
  }

  const faults: string[] = []
  const isLast = (id: string) => Number(id === 'endSession')
  for (const { operationId, name, request } of everyWay.toSorted(
    (a, b) => isLast(a.operationId) - isLast(b.operationId),
  )) {
    await forEachAtOnce(sessions, async ({ role, headers }) => {
      const sent = request(headers)
      const got = describeAnswer(await api.send(sent))
      const letIn = isOpen(operationId) ? /^400/ : /^(20[0-4]|404 (?!route))/
      const rejected = sent.method === 'HEAD' ? /^403$/ : /^403 role\.missing$/
      const expected = isOpen(operationId) || mayCall(operationId, role) ? letIn : rejected
      const isAsExpected = expected.test(sent.method === 'HEAD' && got === '404' ? '404 ' : got)
      if (!isAsExpected) faults.push(`${name} as ${role}: ${got}`)
    })
  }
  assertNone(faults)
})
