import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { countAppKeys, insertAppKey, listAppKeys } from '../records/app-key-store.ts'
import { countUsers, findUserByEmail, insertUser, listUsers } from '../records/user-store.ts'

const { database, ownerUrl } = await aDatabase()
const one = randomUUID()
await addAccounts(ownerUrl, { one })
const db = database.forAccount(one)
const all = { email: undefined, after: undefined, limit: 10 }

/** Ascending ids. */
const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`

test('the users of an account are listed by e-mail address, counted and found', async () => {
  for (const [at, email] of ['a@one.example', 'b@one.example', 'c@one.example'].entries())
    await db
      .transaction()
      .execute((tx) =>
        insertUser(
          tx,
          { accountId: one, userId: idOf(at), email, name: '', roles: ['ROLE_USER'], passwordHash: '' },
          0,
        ),
      )
  const emailsOf = async (which: Partial<Parameters<typeof listUsers>[2]>) =>
    (await listUsers(db, one, { ...all, ...which })).map(({ email }) => email)

  assert.deepEqual(await emailsOf({}), ['a@one.example', 'b@one.example', 'c@one.example'])
  assert.deepEqual(await emailsOf({ after: 'a@one.example', limit: 1 }), ['b@one.example'])
  assert.deepEqual(await emailsOf({ email: 'C@one.example' }), ['c@one.example'])
  assert.equal(await countUsers(db, one), 3)
  assert.equal((await findUserByEmail(db, one, 'B@one.example'))?.userId, idOf(1))
  assert.equal(await findUserByEmail(db, one, 'd@one.example'), undefined)
})

test('the app keys of an account are listed, the oldest first, and counted', async () => {
  for (const number of [1, 2, 3])
    await db
      .transaction()
      .execute((tx) =>
        insertAppKey(
          tx,
          { accountId: one, appKeyId: idOf(number), appName: `app ${number}`, keyHash: Buffer.of(number) },
          0,
        ),
      )
  const namesOf = async (after: string | undefined, limit: number) =>
    (await listAppKeys(db, one, after, limit)).map(({ appName }) => appName)

  assert.deepEqual(await namesOf(undefined, 10), ['app 1', 'app 2', 'app 3'])
  assert.deepEqual(await namesOf(idOf(1), 1), ['app 2'])
  assert.equal(await countAppKeys(db, one), 3)
})
