import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import type { JobHandlers } from './job-handler.ts'
import { aJobDatabase, enqueueTest, nobody, type TestJobs } from './testing/a-job-worker.ts'

const { database } = await aJobDatabase()

async function waiting(db: Db, bell: string) {
  const { rows } = await sql<{ name: string; data: unknown }>`
    select name, data from pgboss.job where data #>> '{data,bell}' = ${bell}`.execute(db)
  return rows
}

test('a job carries what it is given, its account and its request', async () => {
  const accountId = randomUUID()
  const db = database.forAccount(accountId)

  const id = await db
    .transaction()
    .execute((tx) => enqueueTest(tx, 'ring', { bell: 'a' }, { accountId, requestId: 'req-1' }))

  assert.match(id ?? '', /^[0-9a-f-]{36}$/)
  assert.deepEqual(await waiting(db, 'a'), [
    { name: 'ring', data: { accountId, requestId: 'req-1', data: { bell: 'a' } } },
  ])
})

test('a job of a transaction that is rolled back never was', async () => {
  const work = database.platform.transaction().execute(async (tx) => {
    await enqueueTest(tx, 'ring', { bell: 'b' }, nobody)
    throw new Error('changed my mind')
  })

  await assert.rejects(work, /changed my mind/)
  assert.deepEqual(await waiting(database.platform, 'b'), [])
})

test('of a kind of which one waits, another with the same key is left out', async () => {
  const ids = await database.platform
    .transaction()
    .execute(async (tx) => [
      await enqueueTest(tx, 'tidy', { bell: 'c' }, { ...nobody, key: 'north' }),
      await enqueueTest(tx, 'tidy', { bell: 'c' }, { ...nobody, key: 'north' }),
      await enqueueTest(tx, 'tidy', { bell: 'c' }, { ...nobody, key: 'south' }),
    ])

  assert.deepEqual(
    ids.map((id) => typeof id),
    ['string', 'undefined', 'string'],
  )
  assert.equal((await waiting(database.platform, 'c')).length, 2)
})

test('more than 8 kB is refused', async () => {
  const work = database.platform
    .transaction()
    .execute((tx) => enqueueTest(tx, 'ring', { bell: 'd'.repeat(8_200) }, nobody))

  await assert.rejects(work, /ring was given 8211 bytes; a job takes 8192/)
})

test('a hundred callers at once wait for no connection but their own', async () => {
  const works = Array.from({ length: 100 }, () =>
    database.platform.transaction().execute((tx) => enqueueTest(tx, 'ring', { bell: 'e' }, nobody)),
  )

  await Promise.all(works)

  assert.equal((await waiting(database.platform, 'e')).length, 100)
})

// What is never run here is checked by the compiler.
export const mistakes = {
  // @ts-expect-error a kind without a handler
  handlers: { ring: async () => {} } satisfies JobHandlers<TestJobs>,
  // @ts-expect-error a job that there is not
  name: (tx: Transaction) => enqueueTest(tx, 'rang', { bell: 'f' }, nobody),
  // @ts-expect-error what the job is not given
  data: (tx: Transaction) => enqueueTest(tx, 'ring', { gong: 'f' }, nobody),
  // @ts-expect-error whom it works for is forgotten
  account: (tx: Transaction) => enqueueTest(tx, 'ring', { bell: 'f' }, { requestId: undefined }),
}
