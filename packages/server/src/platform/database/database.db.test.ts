import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { addAccounts } from '../testing/an-account.ts'

const it = await aReleasedDatabase()
const one = randomUUID()
const other = randomUUID()
await addAccounts(it.ownerUrl, { one, other })

const names = (db: Parameters<ReturnType<typeof sql>['execute']>[0]) =>
  sql<{ name: string }>`select name from accounts order by name`
    .execute(db)
    .then(({ rows }) => rows.map((row) => row.name))

test('a statement sees only the rows of its account', async () => {
  assert.deepEqual(await names(it.database.forAccount(one)), ['one'])
  assert.deepEqual(await names(it.database.forAccount(other)), ['other'])
})

test('every statement of a transaction sees only the rows of its account', async () => {
  const seen = await it.database
    .forAccount(one)
    .transaction()
    .execute(async (tx) => [await names(tx), await names(tx)])

  assert.deepEqual(seen, [['one'], ['one']])
})

test('without an account no rows are visible', async () => {
  assert.deepEqual(await names(it.database.platform), [])
  assert.deepEqual(await it.database.platform.transaction().execute(names), [])
})

test('a connection does not keep the account that used it last', async () => {
  const setting = sql<{
    account: string | null
  }>`select nullif(current_setting('app.account_id', true), '') as account`
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const account = [one, other, undefined][i % 3]
      const db = account === undefined ? it.database.platform : it.database.forAccount(account)
      const run = i % 2 === 0 ? setting.execute(db) : db.transaction().execute((tx) => setting.execute(tx))
      return [(await run).rows[0]?.account, account ?? null]
    }),
  )

  for (const [seen, meant] of answers) assert.equal(seen, meant)
})

test('a failed statement leaves its connection usable and without an account', async () => {
  const db = it.database.forAccount(one)
  await assert.rejects(sql`select 1 / ${0}::integer`.execute(db), /division by zero/)
  await assert.rejects(sql`select nonsense from nowhere`.execute(db), /nowhere/)
  await assert.rejects(sql`select nonsense from nowhere`.execute(db), /nowhere/)

  assert.deepEqual(await names(db), ['one'])
  assert.deepEqual(await names(it.database.platform), [])
})

test('a row can be neither inserted into nor moved to another account', async () => {
  const db = it.database.forAccount(one)

  const taken = sql`update accounts set account_id = ${randomUUID()} where name = 'one'`.execute(db)

  await assert.rejects(taken, /row-level security/)
  const { numAffectedRows } =
    await sql`update accounts set title = 'mine' where account_id = ${other}`.execute(db)
  assert.equal(numAffectedRows, 0n)
})

test('a failed transaction is never reported as committed', async () => {
  const work = it.database
    .forAccount(one)
    .transaction()
    .execute(async (tx) => {
      await sql`select 1 / 0`.execute(tx).catch(() => {})
      return 'done'
    })

  await assert.rejects(work, /rolled back/)
})

test('an account id that is not a UUID is rejected', () => {
  assert.throws(() => it.database.forAccount("x'; drop table accounts; --"))
})

test('bigint values are read as numbers', async () => {
  const { rows } = await sql`select 1772388000000::bigint as at, count(*) as n from accounts`.execute(
    it.database.forAccount(one),
  )

  assert.deepEqual(rows, [{ at: 1_772_388_000_000, n: 1 }])
})

test('a statement that times out leaves its connection usable', async () => {
  const db = it.database.forAccount(one)

  const slow = db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 50`.execute(tx)
    await sql`select pg_sleep(5)`.execute(tx)
  })

  await assert.rejects(slow, { message: /did not answer in time/ })

  assert.deepEqual(await names(db), ['one'])
})

test('a connection that is cut between two statements fails its transaction and nothing else', async () => {
  const db = it.database.forAccount(one)

  const cut = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(db)
    // The other statement has returned, so the server's message is on its way: it arrives some turns of the loop later.
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate)
    await names(tx)
  })

  await assert.rejects(cut, { message: /cannot be reached/ })
  assert.deepEqual(await names(db), ['one'])
})
