import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { countLogin, type LoginTry } from './login-limits.ts'

const MINUTE_MS = 60_000
const { database } = await aDatabase()

let users = 0
/** Nobody has tried this user, or from this address, before. */
function aTry(over: Partial<LoginTry> = {}): LoginTry {
  users += 1
  return {
    accountName: 'one',
    email: `user${users}@one.example`,
    address: `address ${users}`,
    isKnown: false,
    ...over,
  }
}
const count = (tried: LoginTry, nowMs: number) => countLogin(database.platform, tried, nowMs)

/** How many of so many tries are let through. Strangers come from a new address each time. */
async function allowed(tried: LoginTry, nowMs: number, times = 10): Promise<number> {
  let passed = 0
  for (let i = 0; i < times; i += 1) {
    const { address } = tried.isKnown ? tried : aTry()
    if ((await count({ ...tried, address }, nowMs)).kind === 'allowed') passed += 1
  }
  return passed
}

test('no stretch of 15 minutes has more than ten tries of one user, wherever it begins', async () => {
  const stranger = aTry()
  const known = { ...stranger, isKnown: true }

  // One begins the 15 minutes, the others come when they are nearly over.
  for (const tried of [stranger, known]) assert.equal(await allowed(tried, NOW_MS, 1), 1)
  const lateMs = NOW_MS + 15 * MINUTE_MS - 1
  const late = (await allowed(stranger, lateMs)) + (await allowed(known, lateMs))
  const after = (await allowed(stranger, lateMs + 1)) + (await allowed(known, lateMs + 1))

  assert.deepEqual({ late, after }, { late: 8, after: 2 })
})

test('tries at once are counted as tries one after the other', async () => {
  const tried = aTry({ isKnown: true })

  const results = await Promise.all(Array.from({ length: 30 }, () => count(tried, NOW_MS)))

  assert.equal(results.filter(({ kind }) => kind === 'allowed').length, 5)
})

test('who is refused is told when the next try will be looked at, and then it is', async () => {
  const tried = aTry({ isKnown: true })
  await allowed(tried, NOW_MS, 2)
  await allowed(tried, NOW_MS + 2 * MINUTE_MS, 3)

  const refused = await count(tried, NOW_MS + 5 * MINUTE_MS)

  assert.deepEqual(refused, { kind: 'refused', retryAfterSeconds: 600 })
  assert.equal(await allowed(tried, NOW_MS + 15 * MINUTE_MS - 1), 0)
  assert.equal(await allowed(tried, NOW_MS + 15 * MINUTE_MS), 2)
})

test('a call that waited behind later ones is never asked to wait longer than the window', async () => {
  const tried = aTry({ isKnown: true })
  await allowed(tried, NOW_MS, 5)

  const refused = await count(tried, NOW_MS - 400)

  assert.deepEqual(refused, { kind: 'refused', retryAfterSeconds: 900 })
})

test('an address that has no tries left uses up none of the users it names', async () => {
  const { address } = aTry()
  for (let i = 0; i < 30; i += 1) await count(aTry({ address }), NOW_MS)
  const victim = aTry()

  for (let i = 0; i < 5; i += 1) {
    assert.equal((await count({ ...victim, address }, NOW_MS)).kind, 'refused')
  }

  assert.equal(await allowed(victim, NOW_MS), 5)
})

test('a try is taken back once, and only itself', async () => {
  const tried = aTry({ isKnown: true })
  const first = await count(tried, NOW_MS)
  await allowed(tried, NOW_MS + 14 * MINUTE_MS, 4)
  assert.ok(first.kind === 'allowed')

  // It was forgotten by now, and those that came after it were not.
  assert.equal(await allowed(tried, NOW_MS + 16 * MINUTE_MS, 1), 1)
  await first.takeBack()
  assert.equal(await allowed(tried, NOW_MS + 16 * MINUTE_MS), 0)
})
