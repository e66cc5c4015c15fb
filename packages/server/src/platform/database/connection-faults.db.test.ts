import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { aLink } from '@continuity/dev/a-link'
import { sql } from 'kysely'
import { createLog } from '../log/logger.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { addAccounts } from '../testing/an-account.ts'
import { type Database, type Db, openDatabase } from './database.ts'

const it = await aReleasedDatabase()
const one = randomUUID()
const other = randomUUID()
await addAccounts(it.ownerUrl, { one, other })

const unavailable = { message: /cannot be reached or did not answer in time/ }
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })

/** With shorter limits in its address where the defaults would take long. */
function open(t: TestContext, connections: number, url = it.serviceUrl) {
  const metrics = createMetrics()
  const database = openDatabase(url, { connections, logger, metrics })
  t.after(() => database.close())
  const read = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics.print())?.[1])
  return { database, read }
}

const names = async (db: Db) => {
  const { rows } = await sql<{ name: string }>`select name from accounts order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const pidOf = async (db: Db) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]!.pid
}

/** Ends a connection as an administrator would, and waits until it has gone. */
async function kill(pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid}, 5000)`.execute(it.database.platform)
}

/** Resolves with the backend pid once a statement with this beginning runs in the server. */
async function untilRunning(beginning: string): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity
       where state = 'active' and starts_with(query, ${beginning})`.execute(it.database.platform)
    if (rows[0] !== undefined) return rows[0].pid
  }
}

/** Retries until the database answers again. */
async function untilBack({ platform }: Database): Promise<void> {
  while (
    await names(platform).then(
      () => false,
      () => true,
    )
  )
    await new Promise(setImmediate)
}

async function assertSound(database: Database): Promise<void> {
  const seen = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const [account, name] = i % 2 === 0 ? [one, 'one'] : [other, 'other']
      const db = database.forAccount(account)
      return [await (i % 3 === 0 ? db.transaction().execute(names) : names(db)), name] as const
    }),
  )
  for (const [found, name] of seen) assert.deepEqual(found, [name])
  assert.deepEqual(await names(database.platform), [])
}

test('a connection that the server ends between two statements fails its transaction and nothing else', async (t) => {
  const { database } = open(t, 2)

  const cutOff = database
    .forAccount(one)
    .transaction()
    .execute(async (tx) => {
      await kill(await pidOf(tx))
      return names(tx)
    })

  await assert.rejects(cutOff, unavailable)
  await assertSound(database)
})

test('a connection that the server ends during a statement fails that statement and nothing else', async (t) => {
  const { database, read } = open(t, 2)

  const cutOff = sql`select 'cut', pg_sleep(30)`.execute(database.forAccount(one))
  await Promise.all([untilRunning("select 'cut'").then(kill), assert.rejects(cutOff, unavailable)])

  assert.equal(read('database_connections_lost_total'), 1)
  await assertSound(database)
})

test('an error thrown inside a transaction is kept when the connection is lost too', async (t) => {
  const { database } = open(t, 2)

  const rejected = database
    .forAccount(one)
    .transaction()
    .execute(async (tx) => {
      await kill(await pidOf(tx))
      throw new Error('there is no such channel')
    })

  await assert.rejects(rejected, /no such channel/)
  await assertSound(database)
})

test('a caller that waits for a connection gets one when another breaks', async (t) => {
  const { database } = open(t, 1)
  const db = database.forAccount(one)

  const broken = sql`select 'locked', pg_sleep(30)`.execute(db)
  const waiting = names(db)
  await Promise.all([untilRunning("select 'locked'").then(kill), assert.rejects(broken, unavailable)])

  assert.deepEqual(await waiting, ['one'])
})

test('a statement that is cancelled leaves its connection in use', async (t) => {
  const { database, read } = open(t, 1)
  const db = database.forAccount(one)
  const before = await pidOf(db)

  const cancelled = sql`select 'cancelled', pg_sleep(30)`.execute(db)
  await Promise.all([
    untilRunning("select 'cancelled'").then((pid) =>
      sql`select pg_cancel_backend(${pid})`.execute(it.database.platform),
    ),
    assert.rejects(cancelled, unavailable),
  ])

  assert.equal(await pidOf(db), before)
  assert.equal(read('database_connections_lost_total'), 0)
  await assertSound(database)
})

test('a statement that gets no answer times out, and all idle connections are closed', async (t) => {
  await using link = await aLink(it.serviceUrl)
  const { database, read } = open(t, 3, `${link.url}?query_timeout=400`)
  const db = database.forAccount(one)
  await Promise.all([pidOf(db), pidOf(db), pidOf(db)])
  assert.equal(read('database_connections'), 3)

  link.silence()
  await assert.rejects(names(db), unavailable)
  await link.restore()

  // Each dead connection that is left would fail one of these.
  await assertSound(database)
  assert.equal(read('database_connections_lost_total'), 1)
  assert.ok(link.connections() <= 6, `${link.connections()} connections`)
})

test('a transaction that gets no answer times out and is rolled back', async (t) => {
  await using link = await aLink(it.serviceUrl)
  const { database } = open(t, 2, `${link.url}?query_timeout=400`)

  const cutOff = database
    .forAccount(one)
    .transaction()
    .execute(async (tx) => {
      await sql`update accounts set title = 'lost' where account_id = ${one}`.execute(tx)
      link.silence()
      return names(tx)
    })
  await assert.rejects(cutOff, unavailable)
  await link.restore()

  const { rows } = await sql`select title from accounts`.execute(database.forAccount(one))
  assert.deepEqual(rows, [{ title: 'one' }])
  await assertSound(database)
})

test('acquiring a connection to a silent server fails within the timeout, and at once while the server is known to be gone', async (t) => {
  await using link = await aLink(it.serviceUrl)
  const { database } = open(t, 2, link.url)
  link.silence()
  const queryTwenty = async () => {
    const startMs = performance.now()
    const queries = Array.from({ length: 20 }, () => names(database.platform))
    const first = await Promise.race(queries.map((each) => each.catch(() => performance.now() - startMs)))
    for (const each of queries) await assert.rejects(each, unavailable)
    return { first: Number(first), all: performance.now() - startMs }
  }

  const unknown = await queryTwenty()
  const known = await queryTwenty()
  await link.restore()

  assert.ok(unknown.first > 1_000 && unknown.all < 3_000, JSON.stringify(unknown))
  // One of them tries, and waits.
  assert.ok(known.first < 500 && known.all < 3_000, JSON.stringify(known))
  await untilBack(database)
  await assertSound(database)
})

test('a database that is back is found soon, although the network dropped all earlier attempts', async (t) => {
  await using link = await aLink(it.serviceUrl)
  const { database } = open(t, 10, link.url)
  link.silence()
  await assert.rejects(names(database.platform), unavailable)
  const lost = []
  while (link.connections() < 4) {
    lost.push(names(database.platform).catch(() => {}))
    await new Promise(setImmediate)
  }

  await link.restore()
  const startMs = performance.now()
  await untilBack(database)

  assert.ok(performance.now() - startMs < 1_000)
  await Promise.all(lost)
  await assertSound(database)
})

test('requests fail at once while connections are refused, and succeed when the server is back', async (t) => {
  await using link = await aLink(it.serviceUrl)
  const { database, read } = open(t, 3, link.url)
  await assertSound(database)

  await link.goDown()
  await assert.rejects(names(database.forAccount(one)), unavailable)
  await assert.rejects(database.forAccount(one).transaction().execute(names), unavailable)
  while (read('database_connections') > 0) await new Promise(setImmediate)
  await link.restore()

  await untilBack(database)
  await assertSound(database)
})

test('a transaction left open ends with its connection', async (t) => {
  const { database } = open(t, 1)
  const before = await pidOf(database.platform)

  await sql`begin`.execute(database.platform)

  assert.notEqual(await pidOf(database.platform), before)
  await assertSound(database)
})

test('a transaction whose first statement fails, which was sent with BEGIN, leaves the connection usable', async (t) => {
  const { database } = open(t, 1)
  const before = await pidOf(database.platform)
  const divide = (tx: Db) => sql`select 1 / ${0}::integer`.execute(tx)

  await assert.rejects(database.forAccount(one).transaction().execute(divide), /division by zero/)

  assert.equal(await pidOf(database.platform), before)
  await assertSound(database)
})

test('a value that cannot be serialized fails its caller and leaves the statement usable', async (t) => {
  const { database } = open(t, 1)
  const select = (value: unknown, db: Db = database.forAccount(one)) =>
    sql<{ value: unknown }>`select ${value}::jsonb as value`.execute(db).then(({ rows }) => rows[0]?.value)
  const unsendable: Record<string, unknown> = {}
  unsendable['self'] = unsendable
  await select({ n: 1 })

  await assert.rejects(select(unsendable), /circular/)
  await assert.rejects(
    database
      .forAccount(one)
      .transaction()
      .execute((tx) => select(unsendable, tx)),
    /circular/,
  )

  assert.deepEqual(await select({ n: 2 }), { n: 2 })
  await assertSound(database)
})

test('every connection has its timeouts set', async (t) => {
  const { database } = open(t, 1)

  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
     where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')
     order by name`.execute(database.platform)

  assert.deepEqual(rows, [
    { name: 'idle_in_transaction_session_timeout', setting: '5000' },
    { name: 'lock_timeout', setting: '4000' },
    { name: 'statement_timeout', setting: '5000' },
  ])
})
