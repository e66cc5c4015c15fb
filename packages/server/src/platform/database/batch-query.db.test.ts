import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../log/logger.ts'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { addAccounts } from '../testing/an-account.ts'
import { executeCopy, executeTogether, openDatabase, postpone } from './database.ts'

const it = await aReleasedDatabase()
const accountId = randomUUID()
await addAccounts(it.ownerUrl, { [accountId]: accountId })
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
/** One connection, so that each statement sees the state that the last one left. */
const database = openDatabase(it.serviceUrl, { connections: 1, logger })
after(() => database.close())
const db = database.forAccount(accountId)

const number = (n: number) => sql<{ readonly n: number }>`select ${n}::bigint as n`
const setTitle = (title: string) => sql`update accounts set title = ${title}`
const title = sql<{ readonly title: string }>`select title from accounts`

test('a batch returns the rows of each statement, and each sees the changes of those before it', async () => {
  const together = () =>
    db
      .transaction()
      .execute((tx) =>
        executeTogether(tx, [number(1), setTitle('One'), title, number(2), setTitle('Two'), title]),
      )

  const first = await together()
  const again = await together()

  assert.deepEqual(first, [[{ n: 1 }], [], [{ title: 'One' }], [{ n: 2 }], [], [{ title: 'Two' }]])
  assert.deepEqual(again, first)
})

const failures = {
  'when it is parsed': [sql`select nothing from nowhere`, /nowhere/],
  'when its values are bound': [sql`select ${'no number'}::integer`, /invalid input syntax/],
  'when it runs': [sql`select 1 / ${0}::integer`, /division by zero/],
} as const

for (const [when, [broken, message]] of Object.entries(failures)) {
  test(`when a statement fails ${when}, the batch has no effect, and the statements after it can be executed later`, async () => {
    const skipped = sql<{ readonly when: string }>`select ${when}::text as "when" /* ${sql.raw(when)} */`
    const together = db
      .transaction()
      .execute((tx) => executeTogether(tx, [setTitle('Lost'), broken, skipped, number(3)]))

    await assert.rejects(together, message)

    assert.deepEqual((await title.execute(db)).rows, [{ title: 'Two' }])
    assert.deepEqual((await skipped.execute(db)).rows, [{ when }])
    assert.deepEqual((await number(3).execute(db)).rows, [{ n: 3 }])
  })
}

test('a batch is rejected outside of a transaction', async () => {
  await assert.rejects(executeTogether(db as never, [number(1)]), /in a transaction/)
})

test('postponed statements run before the next statement of their transaction', async () => {
  const seen = await db.transaction().execute(async (tx) => {
    await postpone(tx, [setTitle('Postponed'), setTitle('Postponed again')])
    const { rows } = await title.execute(tx)
    await postpone(tx, [setTitle('Last')])
    const [together] = await executeTogether(tx, [title])
    return [...rows, ...together]
  })

  assert.deepEqual(seen, [{ title: 'Postponed again' }, { title: 'Last' }])
  assert.deepEqual((await title.execute(db)).rows, [{ title: 'Last' }])
})

test('postponed statements are committed, also where the transaction has no others', async () => {
  const result = await db.transaction().execute(async (tx) => {
    await postpone(tx, [setTitle('Committed')])
    return 'done'
  })

  assert.equal(result, 'done')
  assert.deepEqual((await title.execute(db)).rows, [{ title: 'Committed' }])
})

test('postponed statements run before a copy', async () => {
  const count = await db.transaction().execute(async (tx) => {
    await postpone(tx, [sql`create temporary table copied (n int) on commit drop`])
    await executeCopy(tx, sql`copy copied from stdin`, Buffer.from('1\n2\n'))
    return (await sql<{ readonly n: number }>`select count(*)::int as n from copied`.execute(tx)).rows
  })

  assert.deepEqual(count, [{ n: 2 }])
})

test('a transaction whose postponed statement fails at its commit has no effect', async () => {
  const failed = db.transaction().execute(async (tx) => {
    await setTitle('Lost').execute(tx)
    await postpone(tx, [sql`select 1 / ${0}::integer`, setTitle('Lost too')])
  })

  await assert.rejects(failed, /division by zero/)

  assert.deepEqual((await title.execute(db)).rows, [{ title: 'Committed' }])
})

test('postponed statements of a transaction that fails are not executed', async () => {
  const failed = db.transaction().execute(async (tx) => {
    await postpone(tx, [setTitle('Lost')])
    throw new Error('failed')
  })

  await assert.rejects(failed, /failed/)

  assert.deepEqual((await title.execute(db)).rows, [{ title: 'Committed' }])
  const empty = await db.transaction().execute(async () => 'nothing was executed')
  assert.equal(empty, 'nothing was executed')
})

test('statements are not postponed outside of a transaction', async () => {
  await assert.rejects(postpone(db as never, [setTitle('Lost')]), /in a transaction/)
})
