import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import type { JobHandlers } from './job-handler.ts'
import { aJobDatabase, enqueueTest, platformJob, type TestJobs } from './testing/a-job-worker.ts'

const { database } = await aJobDatabase()

async function waiting(db: Db, bell: string) {
  const { rows } = await sql<{ name: string; data: unknown }>`
    select name, data from pgboss.job where data #>> '{data,bell}' = ${bell}`.execute(db)
  return rows
}

test('a job contains its data, account and request', async () => {
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

test('a rolled back transaction leaves no job', async () => {
  const work = database.platform.transaction().execute(async (tx) => {
    await enqueueTest(tx, 'ring', { bell: 'b' }, platformJob)
    throw new Error('changed my mind')
  })

  await assert.rejects(work, /changed my mind/)
  assert.deepEqual(await waiting(database.platform, 'b'), [])
})

test('a oneWaiting job is not enqueued while one with the same key waits', async () => {
  const ids = await database.platform
    .transaction()
    .execute(async (tx) => [
      await enqueueTest(tx, 'tidy', { bell: 'c' }, { ...platformJob, key: 'north' }),
      await enqueueTest(tx, 'tidy', { bell: 'c' }, { ...platformJob, key: 'north' }),
      await enqueueTest(tx, 'tidy', { bell: 'c' }, { ...platformJob, key: 'south' }),
    ])

  assert.deepEqual(
    ids.map((id) => typeof id),
    ['string', 'undefined', 'string'],
  )
  assert.equal((await waiting(database.platform, 'c')).length, 2)
})

test('data of more than 8 kB is rejected', async () => {
  const work = database.platform
    .transaction()
    .execute((tx) => enqueueTest(tx, 'ring', { bell: 'd'.repeat(8_200) }, platformJob))

  await assert.rejects(work, /ring has 8211 bytes of data; the limit is 8192/)
})

test('a hundred concurrent callers use no connection besides their own', async () => {
  const works = Array.from({ length: 100 }, () =>
    database.platform.transaction().execute((tx) => enqueueTest(tx, 'ring', { bell: 'e' }, platformJob)),
  )

  await Promise.all(works)

  assert.equal((await waiting(database.platform, 'e')).length, 100)
})

// Never run: checked by the compiler.
export const mistakes = {
  // @ts-expect-error a kind without a handler
  handlers: { ring: async () => {} } satisfies JobHandlers<TestJobs>,
  // @ts-expect-error an unknown job
  name: (tx: Transaction) => enqueueTest(tx, 'rang', { bell: 'f' }, platformJob),
  // @ts-expect-error data of another type
  data: (tx: Transaction) => enqueueTest(tx, 'ring', { gong: 'f' }, platformJob),
  // @ts-expect-error the account is missing
  account: (tx: Transaction) => enqueueTest(tx, 'ring', { bell: 'f' }, { requestId: undefined }),
}
