import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { countLogin, type LoginTry } from './login-limits.ts'

const MINUTE_MS = 60_000
const { database } = await aDatabase()

let users = 0
/** An attempt for a new user from a new address. */
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

/** How many of `times` attempts are allowed. An unknown client has a new address each time. */
async function allowed(tried: LoginTry, nowMs: number, times = 10): Promise<number> {
  let passed = 0
  for (let i = 0; i < times; i += 1) {
    const { address } = tried.isKnown ? tried : aTry()
    if ((await count({ ...tried, address }, nowMs)).kind === 'allowed') passed += 1
  }
  return passed
}

test('at most ten attempts for one user are allowed in any 15 minutes', async () => {
  const unknown = aTry()
  const known = { ...unknown, isKnown: true }

  // One at the start of the 15 minutes, the others just before their end.
  for (const tried of [unknown, known]) assert.equal(await allowed(tried, NOW_MS, 1), 1)
  const lateMs = NOW_MS + 15 * MINUTE_MS - 1
  const late = (await allowed(unknown, lateMs)) + (await allowed(known, lateMs))
  const after = (await allowed(unknown, lateMs + 1)) + (await allowed(known, lateMs + 1))

  assert.deepEqual({ late, after }, { late: 8, after: 2 })
})

test('concurrent attempts are counted like sequential ones', async () => {
  const tried = aTry({ isKnown: true })

  const results = await Promise.all(Array.from({ length: 30 }, () => count(tried, NOW_MS)))

  assert.equal(results.filter(({ kind }) => kind === 'allowed').length, 5)
})

test('a rejected attempt returns when the next one is allowed, and it is', async () => {
  const tried = aTry({ isKnown: true })
  await allowed(tried, NOW_MS, 2)
  await allowed(tried, NOW_MS + 2 * MINUTE_MS, 3)

  const rejected = await count(tried, NOW_MS + 5 * MINUTE_MS)

  assert.deepEqual(rejected, { kind: 'rejected', retryAfterSeconds: 600 })
  assert.equal(await allowed(tried, NOW_MS + 15 * MINUTE_MS - 1), 0)
  assert.equal(await allowed(tried, NOW_MS + 15 * MINUTE_MS), 2)
})

test('the retry time is never longer than the window, also for a call that was delayed', async () => {
  const tried = aTry({ isKnown: true })
  await allowed(tried, NOW_MS, 5)

  const rejected = await count(tried, NOW_MS - 400)

  assert.deepEqual(rejected, { kind: 'rejected', retryAfterSeconds: 900 })
})

test('an address without attempts left does not use up those of a user', async () => {
  const { address } = aTry()
  for (let i = 0; i < 30; i += 1) await count(aTry({ address }), NOW_MS)
  const victim = aTry()

  for (let i = 0; i < 5; i += 1) {
    assert.equal((await count({ ...victim, address }, NOW_MS)).kind, 'rejected')
  }

  assert.equal(await allowed(victim, NOW_MS), 5)
})

test('taking back an attempt removes only that attempt', async () => {
  const tried = aTry({ isKnown: true })
  const first = await count(tried, NOW_MS)
  await allowed(tried, NOW_MS + 14 * MINUTE_MS, 4)
  assert.ok(first.kind === 'allowed')

  // It has left the window by now, and the later ones have not.
  assert.equal(await allowed(tried, NOW_MS + 16 * MINUTE_MS, 1), 1)
  await first.takeBack()
  assert.equal(await allowed(tried, NOW_MS + 16 * MINUTE_MS), 0)
})
