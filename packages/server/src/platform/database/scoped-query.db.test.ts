import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../log/logger.ts'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { addAccounts } from '../testing/an-account.ts'
import { type Db, openDatabase } from './database.ts'

const it = await aReleasedDatabase()
const one = randomUUID()
const other = randomUUID()
await addAccounts(it.ownerUrl, { one, other })

const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
/** One connection, so that each statement sees the state that the last one left. */
const database = openDatabase(it.serviceUrl, { connections: 1, logger })
test.after(() => database.close())

const account = (db: Db) =>
  sql<{ name: string | null; id: string | null }>`
    select (select name from accounts) as name, nullif(current_setting('app.account_id', true), '') as id`
    .execute(db)
    .then(({ rows }) => rows[0])

async function assertNoAccount(): Promise<void> {
  assert.deepEqual(await account(database.platform), { name: null, id: null })
}

const failures: Readonly<Record<string, [(db: Db) => Promise<unknown>, RegExp]>> = {
  'when it is parsed': [(db) => sql`select nothing from nowhere`.execute(db), /nowhere/],
  'when its values are bound': [
    (db) => sql`select ${'no number'}::integer`.execute(db),
    /invalid input syntax/,
  ],
  'when it runs': [(db) => sql`select 1 / ${0}::integer`.execute(db), /division by zero/],
  'in its second row': [
    (db) => sql`select 1 / n from generate_series(${1}::integer, 0, -1) n`.execute(db),
    /division/,
  ],
  'for lack of permission': [(db) => sql`delete from accounts`.execute(db), /permission denied/],
}

for (const [when, [run, message]] of Object.entries(failures)) {
  test(`a statement that fails ${when} fails the same way the next time, and leaves no account set`, async () => {
    for (const id of [one, one, other]) {
      await assert.rejects(run(database.forAccount(id)), message)
      await assertNoAccount()
    }

    assert.deepEqual(await account(database.forAccount(other)), { name: 'other', id: other })
    await assertNoAccount()
  })
}

test('a statement returns its own rows and count, not those of the account setting', async () => {
  const db = database.forAccount(one)

  const none = await sql`select name from accounts where name = 'none'`.execute(db)
  const changed = await sql`update accounts set title = title`.execute(db)
  const several = await sql<{ n: number }>`select n from generate_series(1, 1000) n`.execute(db)

  assert.deepEqual([none.rows, none.numAffectedRows], [[], 0n])
  assert.deepEqual([changed.rows, changed.numAffectedRows], [[], 1n])
  assert.deepEqual(several.rows.at(-1), { n: 1_000 })
  assert.equal(several.rows.length, 1_000)
})

test('an empty statement returns no rows', async () => {
  const { rows } = await sql`-- nothing`.execute(database.forAccount(one))

  assert.deepEqual(rows, [])
  assert.deepEqual(await account(database.forAccount(one)), { name: 'one', id: one })
})
