import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { AppError } from '../errors.ts'
import { createLog } from '../log/logger.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { addAccounts } from '../testing/an-account.ts'
import { type Db, executeAsBytes, openDatabase, runTransaction } from './database.ts'

const it = await aReleasedDatabase()
const one = randomUUID()
await addAccounts(it.ownerUrl, { one })

const CONNECTIONS = 3

/** A pool whose connections have all prepared the statements of `read`, in every form. */
async function aWarmPool(t: TestContext) {
  const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
  const metrics = createMetrics()
  const database = openDatabase(it.serviceUrl, { connections: CONNECTIONS, logger, metrics })
  t.after(() => database.close())
  const db = database.forAccount(one)
  const everywhere = async <T>(work: () => Promise<T>): Promise<readonly T[]> =>
    Promise.all(Array.from({ length: CONNECTIONS }, work))
  // Concurrently, so that each takes another connection.
  for (const read of [readTitle, readAll, readBytes]) await everywhere(() => onOwnConnection(db, read))
  await everywhere(() => db.transaction().execute(slowly(readTitle)))
  const connections = () => /^database_connections (\d+)$/m.exec(metrics.print())?.[1]
  assert.equal(connections(), `${CONNECTIONS}`)
  return { db, everywhere }
}

const readTitle = async (db: Db) => {
  const { rows } = await sql<{ title: string }>`select title from accounts where account_id = ${one}`.execute(
    db,
  )
  return rows[0]?.title
}

const readAll = async (db: Db) => {
  const { rows } = await sql<
    Record<string, unknown>
  >`select * from accounts where account_id = ${one}`.execute(db)
  return rows[0]?.['title']
}

const readBytes = async (db: Db) => {
  const { rows } = await executeAsBytes(db, sql<{ title: string }>`select title, name from accounts`)
  return rows[0]?.title
}

/** Holds its connection with a slow statement, so that the pool opens another one for the next caller. */
async function onOwnConnection<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(slowly(read))
}

function slowly<T, D extends Db>(read: (db: D) => Promise<T>) {
  return async (db: D) => {
    await sql`select pg_sleep(0.05)`.execute(db)
    return read(db)
  }
}

/** As a migration does. */
async function migrate(statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: it.ownerUrl })
  await owner.connect()
  try {
    await owner.query(statement)
  } finally {
    await owner.end()
  }
}

const changes = {
  'a column of another type': 'alter table accounts alter title type varchar(400)',
  'another column': 'alter table accounts add extra text',
  'the type back again': 'alter table accounts alter title type text, drop extra',
}

for (const [what, statement] of Object.entries(changes)) {
  test(`statements outside of transactions do not notice a migration: ${what}`, async (t) => {
    const { db, everywhere } = await aWarmPool(t)

    await migrate(statement)

    for (const read of [readTitle, readAll, readBytes])
      assert.deepEqual(await everywhere(() => read(db)), ['one', 'one', 'one'])
  })
}

test('a transaction with runTransaction is run again from its start', async (t) => {
  const { db, everywhere } = await aWarmPool(t)
  await migrate('alter table accounts alter title type varchar(500)')
  const runs: string[] = []

  const read = await everywhere(() =>
    runTransaction(db, async (tx) => {
      runs.push('begun')
      await sql`select pg_sleep(0.05)`.execute(tx)
      return readTitle(tx)
    }),
  )

  assert.deepEqual(read, ['one', 'one', 'one'])
  assert.ok(runs.length > CONNECTIONS && runs.length <= 2 * CONNECTIONS, `${runs.length} runs`)
})

test('any other transaction fails with database.unavailable, and the pool works afterwards', async (t) => {
  const { db, everywhere } = await aWarmPool(t)
  await migrate('alter table accounts alter title type text')

  const failed = db.transaction().execute(async (tx) => {
    await sql`update accounts set name = 'changed' where account_id = ${one}`.execute(tx)
    return readTitle(tx)
  })

  await assert.rejects(
    failed,
    (error) => error instanceof AppError && error.kind.code === 'database.unavailable',
  )
  // One failure is enough for all connections: each is opened again before its next use.
  for (let i = 0; i < 2; i += 1)
    assert.deepEqual(await everywhere(() => db.transaction().execute(slowly(readTitle))), [
      'one',
      'one',
      'one',
    ])
  const { rows } = await sql`select name from accounts`.execute(db)
  assert.deepEqual(rows, [{ name: 'one' }])
})

test('another error with SQLSTATE 0A000 is passed on unchanged', async (t) => {
  const { db } = await aWarmPool(t)

  const unsupported = sql`select count(*) from accounts for update`.execute(db)

  await assert.rejects(unsupported, { code: '0A000' })
})
