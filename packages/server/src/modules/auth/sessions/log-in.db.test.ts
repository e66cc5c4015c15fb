import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aSigningKey, NOW_MS } from '../../../http/testing/credentials.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { anActor } from '../../../platform/testing/an-actor.ts'
import { verifyToken } from '../credentials/access-token.ts'
import { createHashLanes } from '../passwords/hash-lanes.ts'
import { hashPassword } from '../passwords/password.ts'
import { findLoginUser } from '../records/user-store.ts'
import { aUser, PASSWORD } from '../testing/a-user.ts'
import { changeUser, type UserUpdate } from '../users/change-user.ts'
import { type LoginResult, logIn } from './log-in.ts'
import { refreshSession } from './refresh-session.ts'

const { database, ownerUrl } = await aDatabase()
const one = newId(NOW_MS)
await addAccounts(ownerUrl, { one })
// The last administrator cannot be changed, so there is another.
await aUser(database, one, { email: 'stays@one.example' })
const key = aSigningKey()
const origin = { userAgent: 'tv/1', addressGroup: '203.0.113.1', countryOf: async () => 'DE', nowMs: NOW_MS }

/** A valid login, with `happens` between the check of the password and the session. */
async function logInWhile(email: string, happens: () => Promise<unknown>): Promise<LoginResult> {
  const lanes = createHashLanes({ parallel: 2, waiting: 10 })
  const hashLanes: typeof lanes = {
    ...lanes,
    async run(...args) {
      const result = await lanes.run(...args)
      await happens()
      return result
    },
  }
  const deps = { database, hashLanes, signingKey: () => key, countHash: () => {} }
  return logIn(deps, { accountName: 'one', email, password: PASSWORD }, origin)
}

const change = (userId: string, update: UserUpdate) =>
  database
    .forAccount(one)
    .transaction()
    .execute((tx) => changeUser(tx, anActor(one, { nowMs: NOW_MS }), userId, update, () => {}))

test('a login whose password is changed meanwhile is rejected, and the new password stays', async () => {
  const { userId, email } = await aUser(database, one, { email: 'changed@one.example' })
  const passwordHash = await hashPassword('another horse')

  const result = await logInWhile(email, () => change(userId, { passwordHash }))

  assert.deepEqual(result, { kind: 'rejected' })
  const user = await findLoginUser(database.forAccount(one), one, email, '', 0)
  assert.equal(user?.passwordHash, passwordHash)
})

test('a login of a user who is disabled or deleted meanwhile is rejected', async () => {
  for (const [i, update] of [{ status: 'DISABLED' } as const, 'delete' as const].entries()) {
    const { userId, email } = await aUser(database, one, { email: `gone${i}@one.example` })

    const result = await logInWhile(email, () => change(userId, update))

    assert.deepEqual(result, { kind: 'rejected' })
  }
})

test('a login of a user whose roles change meanwhile has the new roles', async () => {
  const { userId, email } = await aUser(database, one, { email: 'roles@one.example' })

  const result = await logInWhile(email, () => change(userId, { roles: ['SCHEDULE'] }))

  assert.ok(result.kind === 'opened')
  assert.deepEqual(result.session.roles, ['SCHEDULE'])
  const refreshed = await refreshSession(
    { database, signingKey: () => key },
    result.session.refreshCredential,
    origin,
  )
  assert.ok(refreshed.kind === 'renewed')
  assert.deepEqual(claimsOf(refreshed.session.accessCredential), claimsOf(result.session.accessCredential))
})

function claimsOf(credential: string) {
  const result = verifyToken(new Map([[key.kid, key]]), credential, origin.nowMs)
  assert.ok(result.kind === 'valid')
  return result.claims
}
