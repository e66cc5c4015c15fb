import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AnswerOf, Operations } from '@continuity/contract'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { aProcess, type TestProcess } from '../../../app/testing/a-process.ts'
import { aSigningKey, NOW_MS } from '../../../http/testing/credentials.ts'
import { assertProblem } from '../../../http/testing/wire.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import { aBus } from '../../../platform/testing/a-bus.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { anAppKey, aUser, PASSWORD } from '../testing/a-user.ts'

const { database, ownerUrl } = await aDatabase()
const [one, other] = [newId(NOW_MS), newId(NOW_MS)]
await addAccounts(ownerUrl, { one, other })
await aUser(database, one)
const { sdkKey } = await anAppKey(database, one)

/** Two processes of one system. */
const bus = aBus()
const key = aSigningKey()
const clock = { nowMs: NOW_MS }
const api = await aProcess({ database, key, clock, bus: bus.connect() })
const second = await aProcess({ database, key, clock, bus: bus.connect() })
after(async () => {
  await api[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
})

type Session = AnswerOf<Operations['login']>
const sessionOf = (answer: LightMyRequestResponse): Session => {
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<Session>()
}
const good = { account_name: 'one', email: 'duty@one.example', password: PASSWORD }
/** Attempts are counted by address, so each login has its own by default. */
const addresses = Array.from({ length: 250 }, (_, i) => `203.0.113.${i + 1}`)
const anAddress = () => addresses.pop()!
const login = (over: Partial<typeof good> = {}, address = anAddress(), on: TestProcess = api) =>
  on.send('login', { body: { ...good, ...over }, address, headers: { 'user-agent': 'tv/1' } })
const refresh = (token_refresh: string, on: TestProcess = api) =>
  on.send('refreshSession', { body: { token_refresh } })
const headersOf = ({ token, device_id }: Session) => ({
  'x-service-auth': token.token_access,
  'x-service-device': device_id,
})
const reads = async (session: Session, on: TestProcess = api) =>
  (await on.send('getAccount', { headers: headersOf(session) })).statusCode

test('a login opens a session that is valid only with its own device id', async () => {
  const session = sessionOf(await login())

  assert.deepEqual(
    { country: session.country, user_agent: session.user_agent, roles: session.token.roles },
    { country: 'DE', user_agent: 'tv/1', roles: ['ROLE_USER', 'ROLE_ADMIN'] },
  )
  assert.equal(await reads(session), 200)
  assert.equal(await reads({ ...session, device_id: newId(NOW_MS) }), 401)
})

test('the case of an e-mail address is ignored', async () => {
  assert.equal((await login({ email: 'Duty@ONE.example' })).statusCode, 200)
})

test('every rejected login has the same response', async () => {
  const wrong = [
    { password: 'wrong horse' },
    { email: 'unknown@one.example' },
    { account_name: 'other' },
    { account_name: 'none' },
  ]

  const answers = await Promise.all(wrong.map((over) => login(over)))

  for (const answer of answers) assertProblem(answer, 401, 'session.refused')
  assert.equal(new Set(answers.map((answer) => answer.json<{ detail: string }>().detail)).size, 1)
})

test('the country is that of the trusted proxy header, else that of the account', async () => {
  const proxied = await api.send('login', {
    body: good,
    address: anAddress(),
    headers: { 'x-country': 'fr' },
  })
  const direct = await api.send('login', { body: good, headers: { 'x-country': 'fr' } })

  assert.equal(sessionOf(proxied).country, 'FR')
  assert.equal(sessionOf(direct).country, 'DE')
})

test('an app key opens an anonymous session; a wrong key or app name is rejected', async () => {
  const device = (over: object) =>
    api.send('registerDevice', {
      body: { app_name: 'north-tv', sdk_key: sdkKey, ...over },
      address: anAddress(),
    })

  // The key with other last characters.
  const nearly = sdkKey.endsWith('AA') ? `${sdkKey.slice(0, -2)}BA` : `${sdkKey.slice(0, -2)}AA`
  const session = sessionOf(await device({}))

  assert.deepEqual(session.token.roles, ['ROLE_ANONYMOUS'])
  assert.equal(await reads(session), 403)
  assertProblem(await device({ app_name: 'south-tv' }), 401, 'session.refused')
  assertProblem(await device({ sdk_key: 'sdk_abc' }), 401, 'session.refused')
  assertProblem(await device({ sdk_key: nearly }), 401, 'session.refused')
})

test('a refresh returns a new pair of credentials', async () => {
  const first = sessionOf(await login())
  const successor = sessionOf(await refresh(first.token.token_refresh))

  assert.notEqual(successor.token.token_refresh, first.token.token_refresh)
  assert.equal(successor.device_id, first.device_id)
  assert.equal(await reads(successor), 200)
})

test('two refreshes in the same second return two access credentials with different ids', async () => {
  const first = sessionOf(await login())
  const next = sessionOf(await refresh(first.token.token_refresh))
  const last = sessionOf(await refresh(next.token.token_refresh, second))
  const other = sessionOf(await login())

  const credentials = [first, next, last, other].map(({ token }) => token.token_access)

  const ids = credentials.map((credential) => {
    const payload = Buffer.from(credential.split('.')[1]!, 'base64url').toString()
    return (JSON.parse(payload) as { jti: unknown }).jti
  })
  for (const id of ids) assert.match(String(id), /^.{36,}$/)
  assert.equal(new Set(ids).size, 4)
  assert.equal(new Set(credentials).size, 4)
  assert.deepEqual(
    await Promise.all([first, next, last, other].map((session) => reads(session))),
    [200, 200, 200, 200],
  )
})

test('ending a session revokes all its access credentials, and those of no other', async () => {
  const first = sessionOf(await login())
  const next = sessionOf(await refresh(first.token.token_refresh))
  const other = sessionOf(await login())

  assert.equal((await api.send('endSession', { headers: headersOf(next) })).statusCode, 204)

  for (const on of [api, second])
    assert.deepEqual([await reads(first, on), await reads(next, on), await reads(other, on)], [401, 401, 200])
})

test('five concurrent refreshes on two processes return the same successor', async () => {
  const first = sessionOf(await login())

  const answers = await Promise.all(
    [api, second, api, second, api].map((on) => refresh(first.token.token_refresh, on)),
  )

  const pairs = answers.map((answer) => JSON.stringify(sessionOf(answer).token))
  assert.equal(new Set(pairs).size, 1)
})

test('reusing a refresh credential after ten seconds ends the session, on every process and on one that starts later', async () => {
  const first = sessionOf(await login())
  const successor = sessionOf(await refresh(first.token.token_refresh))
  clock.nowMs += 9_999
  assert.deepEqual(sessionOf(await refresh(first.token.token_refresh)).token, successor.token)
  clock.nowMs += 1

  assertProblem(await refresh(first.token.token_refresh), 401, 'session.ended')

  await using third = await aProcess({ database, key, clock, bus: bus.connect() })
  for (const on of [api, second, third]) assert.equal(await reads(successor, on), 401)
  assertProblem(await refresh(successor.token.token_refresh, second), 401, 'session.ended')
})

test('a forged refresh credential does not end the session', async () => {
  const first = sessionOf(await login())
  const successor = sessionOf(await refresh(first.token.token_refresh))
  clock.nowMs += 60_000
  const bytes = Buffer.from(first.token.token_refresh.slice(2), 'base64url')

  for (const at of [0, 20, 35, 40, 83]) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    const answer = await refresh(`r_${changed.toString('base64url')}`)
    assertProblem(answer, 401, 'session.ended')
  }
  for (const text of ['', 'r_', 'r_AAAA', first.token.token_access]) {
    assert.ok([400, 401].includes((await refresh(text)).statusCode))
  }

  assert.equal(await reads(successor), 200)
})

test('a session that was not renewed for 30 days has ended', async () => {
  const first = sessionOf(await login())
  const before = clock.nowMs
  clock.nowMs += 30 * 24 * 3_600_000

  assertProblem(await refresh(first.token.token_refresh), 401, 'session.ended')
  clock.nowMs = before
})

test('logging out ends that session at once on every process, and no other', async () => {
  const [leaving, staying] = [sessionOf(await login()), sessionOf(await login())]

  assert.equal((await api.send('endSession', { headers: headersOf(leaving) })).statusCode, 204)

  for (const on of [api, second])
    assert.deepEqual([await reads(leaving, on), await reads(staying, on)], [401, 200])
  assertProblem(await refresh(leaving.token.token_refresh), 401, 'session.ended')
})

test('five wrong passwords from unknown addresses are checked, the next are not, and a known address can still log in', async () => {
  const home = anAddress()
  const person = await aUser(database, one, { email: 'attacked@one.example' })
  sessionOf(await login({ email: person.email }, home))
  const before = api.hashes()

  const answers = []
  for (let i = 0; i < 12; i += 1) answers.push(await login({ email: person.email, password: `guess ${i}` }))

  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [...Array<number>(5).fill(401), ...Array<number>(7).fill(429)],
  )
  assert.ok(Number(answers[11]!.headers['retry-after']) > 800)
  assert.equal(api.hashes() - before, 5)
  assert.equal((await login({ email: person.email }, home)).statusCode, 200)
  assertProblem(await login({ email: person.email }), 429, 'session.too_many_tries')
  clock.nowMs += 15 * 60_000
  assert.equal((await login({ email: person.email })).statusCode, 200)
})

test('successful logins are not counted', async () => {
  const address = anAddress()
  const statuses = []
  for (let i = 0; i < 8; i += 1) statuses.push((await login({}, address)).statusCode)

  assert.deepEqual(new Set(statuses), new Set([200]))
})

test('attempts of one address are limited over all users', async () => {
  const address = anAddress()
  const statuses = []
  for (let i = 0; i < 32; i += 1)
    statuses.push((await login({ email: `user${i}@one.example` }, address)).statusCode)

  assert.deepEqual(statuses.slice(-3), [401, 429, 429])
})

test('one address can register 600 devices in 15 minutes, and the next gets 429 with the seconds to wait', async () => {
  const address = anAddress()
  const register = (from = address) =>
    api.send('registerDevice', { body: { app_name: 'north-tv', sdk_key: sdkKey }, address: from })
  // A unique time, by which the row of this address is found.
  clock.nowMs += 1
  sessionOf(await register())
  const filled = await sql`
    update login_limits set tried_ms = array_fill(${clock.nowMs}::bigint, array[599])
     where tried_ms = array[${clock.nowMs}::bigint]`.execute(database.platform)
  assert.equal(filled.numAffectedRows, 1n)
  clock.nowMs += 60_000

  const last = await register()
  const rejected = await register()
  const elsewhere = await register(anAddress())
  clock.nowMs += 14 * 60_000
  const later = await register()

  assertProblem(rejected, 429, 'session.too_many_tries')
  assert.equal(rejected.headers['retry-after'], '840')
  for (const opened of [last, elsewhere, later]) sessionOf(opened)
})

test('new roles revoke the issued credentials, and a refresh returns the new roles', async () => {
  const { userId, email } = await aUser(database, one, { email: 'roles@one.example' })
  const [admin, session] = [sessionOf(await login()), sessionOf(await login({ email }))]

  const changed = await api.send('changeUser', {
    params: { user_id: userId },
    body: { roles: ['SCHEDULE'] },
    headers: headersOf(admin),
  })

  assert.equal(changed.statusCode, 200, changed.body)
  assert.deepEqual([await reads(session), await reads(session, second)], [401, 401])
  const renewed = sessionOf(await refresh(session.token.token_refresh, second))
  assert.deepEqual(renewed.token.roles, ['SCHEDULE'])
  assert.equal(await reads(renewed), 200)
})

test('a new password, DISABLED and a deletion end the sessions of a user', async () => {
  const admin = headersOf(sessionOf(await login()))
  const updates = [
    (user_id: string) =>
      api.send('changeUser', { params: { user_id }, body: { password: 'another horse' }, headers: admin }),
    (user_id: string) =>
      api.send('changeUser', { params: { user_id }, body: { status: 'DISABLED' }, headers: admin }),
    (user_id: string) => api.send('deleteUser', { params: { user_id }, headers: admin }),
  ]
  for (const [i, update] of updates.entries()) {
    const { userId, email } = await aUser(database, one, { email: `leaver${i}@one.example` })
    const session = sessionOf(await login({ email }))

    assert.ok((await update(userId)).statusCode < 300)

    assert.equal(await reads(session, second), 401)
    assertProblem(await refresh(session.token.token_refresh), 401, 'session.ended')
    assertProblem(await login({ email }), 401, 'session.refused')
  }
})

test('a user who is not ACTIVE cannot refresh a session that was left open', async () => {
  const { userId, email } = await aUser(database, one, { email: 'left-open@one.example' })
  const session = sessionOf(await login({ email }))

  // Bypasses the use case, which ends the sessions: as after a restored backup or a manual repair.
  await sql`update users set status = 'DISABLED' where user_id = ${userId}`.execute(database.forAccount(one))

  assertProblem(await refresh(session.token.token_refresh), 401, 'session.ended')
  await sql`update users set status = 'ACTIVE' where user_id = ${userId}`.execute(database.forAccount(one))
  assert.equal((await refresh(session.token.token_refresh)).statusCode, 200)
})

test('a revoked app key opens no session, and those of its devices end', async () => {
  const made = await anAppKey(database, one, 'old-tv')
  const body = { app_name: 'old-tv', sdk_key: made.sdkKey }
  const session = sessionOf(await api.send('registerDevice', { body, address: anAddress() }))
  const admin = headersOf(sessionOf(await login()))

  const revoked = await api.send('revokeAppKey', {
    params: { app_key_id: made.appKey.appKeyId },
    headers: admin,
  })

  assert.equal(revoked.statusCode, 204)
  assert.equal(await reads(session, second), 401)
  assertProblem(await refresh(session.token.token_refresh), 401, 'session.ended')
  assertProblem(await api.send('registerDevice', { body, address: anAddress() }), 401, 'session.refused')
})

test('the last administrator cannot be deleted, disabled or lose the role', async () => {
  const alone = await aUser(database, other, { email: 'alone@other.example' })
  const headers = headersOf(sessionOf(await login({ account_name: 'other', email: alone.email })))
  const params = { user_id: alone.userId }

  for (const body of [{ roles: ['ROLE_USER'] }, { status: 'DISABLED' }]) {
    assertProblem(await api.send('changeUser', { params, body, headers }), 409, 'user.last_admin')
  }
  assertProblem(await api.send('deleteUser', { params, headers }), 409, 'user.last_admin')
})

test('a user is created, read, changed and listed, and its password is in no response, audit entry or log', async () => {
  const headers = headersOf(sessionOf(await login()))
  const body = { email: 'New@one.example', password: 'a password of its own', roles: ['ROLE_OPERATOR'] }

  const made = await api.send('createUser', { body, headers: { ...headers, 'idempotency-key': 'k1' } })
  const again = await api.send('createUser', { body, headers: { ...headers, 'idempotency-key': 'k1' } })
  const twice = await api.send('createUser', { body, headers })

  assert.equal(made.statusCode, 201, made.body)
  assert.equal(again.body, made.body)
  assertProblem(twice, 409, 'user.exists')
  const { user_id } = made.json<{ user_id: string }>()
  const read = await api.send('getUser', { params: { user_id }, headers })
  assert.equal(read.headers['etag'], '"1"')
  const stale = await api.send('changeUser', {
    params: { user_id },
    body: { name: 'X' },
    headers: { ...headers, 'if-match': '"7"' },
  })
  assertProblem(stale, 412, 'record.changed')
  const listed = await api.send('listUsers', { query: { email: 'new@ONE.example' }, headers })
  assert.deepEqual(listed.json<{ hits: unknown[]; total: number }>().hits, [read.json()])
  const audit = await sql`select before, after from audit_entries`.execute(database.forAccount(one))
  const outputs = JSON.stringify([made.json(), read.json(), listed.json(), audit.rows, api.log.text()])
  for (const secret of [body.password, 'argon2', PASSWORD]) assert.ok(!outputs.includes(secret), secret)
})

test('a password that is too short, or is a name, is rejected', async () => {
  const headers = headersOf(sessionOf(await login()))
  const make = (over: object) =>
    api.send('createUser', {
      body: { email: 'weak@one.example', password: 'long enough', roles: ['ROLE_USER'], ...over },
      headers,
    })

  assertProblem(await make({ password: 'Weak@One.example' }), 422, 'password.refused')
  assert.equal((await make({ password: 'short' })).statusCode, 400)
})

test('users of another account are not found', async () => {
  const theirs = await aUser(database, other, { email: 'user@other.example' })
  const headers = headersOf(sessionOf(await login()))
  const params = { user_id: theirs.userId }

  assertProblem(await api.send('getUser', { params, headers }), 404, 'user.not_found')
  assertProblem(await api.send('changeUser', { params, body: { name: 'X' }, headers }), 404, 'user.not_found')
  assertProblem(await api.send('deleteUser', { params, headers }), 404, 'user.not_found')
  assertProblem(await api.send('getUser', { params: { user_id: 'x' }, headers }), 404, 'user.not_found')
})
