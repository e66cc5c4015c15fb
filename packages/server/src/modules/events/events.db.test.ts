import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { aReleasedDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { anActor } from '../../platform/testing/an-actor.ts'
import { queryPlans } from '../../platform/testing/query-plan.ts'
import { purgeEvents, recordEvent } from './index.ts'
import { type Event, type EventCursor, findCursorBefore, readEvents } from './read.ts'
import { selectEvents } from './store.ts'
import { anEvent } from './testing/an-event.ts'
import { readUntil } from './testing/read-until.ts'

const it = await aReleasedDatabase()
const AT_MS = Date.parse('2026-03-01T18:00:00Z')
const DAY_MS = 86_400_000

async function anAccount(): Promise<string> {
  const id = randomUUID()
  await addAccounts(it.ownerUrl, { [id]: id })
  return id
}

async function record(accountId: string, subjectId: string, nowMs = AT_MS): Promise<void> {
  await it.database
    .forAccount(accountId)
    .transaction()
    .execute((tx) => recordEvent(tx, anActor(accountId, { nowMs }), anEvent(subjectId)))
}

const readNow = (accountId: string, after?: EventCursor) =>
  readEvents(it.database.forAccount(accountId), accountId, after, 100)

const read = (accountId: string, count: number, limit = 100) =>
  readUntil(it.database.forAccount(accountId), accountId, count, { limit })

const subjectsOf = (events: readonly Event[]) => events.map(({ subjectId }) => subjectId)

test('an event is read as it was recorded', async () => {
  const accountId = await anAccount()
  await record(accountId, 'one')

  const [event] = await read(accountId, 1)

  assert.deepEqual(await readNow(accountId, event?.cursor), [])
  assert.deepEqual(event, {
    ...anEvent('one'),
    subjectType: 'linear_channel',
    eventId: event?.eventId,
    atMs: AT_MS,
    cursor: event?.cursor,
  })
})

test('reading after a cursor continues with the next event, with any page size', async () => {
  const accountId = await anAccount()
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  for (const name of names) await record(accountId, name)

  for (const limit of [1, 2, 3, 7, 8]) {
    assert.deepEqual(subjectsOf(await read(accountId, names.length, limit)), names)
  }
})

test('the events of one transaction keep their order', async () => {
  const accountId = await anAccount()
  const names = Array.from({ length: 20 }, (_, index) => `event-${index}`)
  await it.database
    .forAccount(accountId)
    .transaction()
    .execute(async (tx) => {
      for (const name of names) await recordEvent(tx, anActor(accountId, { nowMs: AT_MS }), anEvent(name))
    })

  assert.deepEqual(subjectsOf(await read(accountId, names.length)), names)
})

test('an event is not readable while an older transaction is running', async () => {
  const accountId = await anAccount()
  const db = it.database.forAccount(accountId)
  const slow = await db.startTransaction().execute()
  await recordEvent(slow, anActor(accountId), anEvent('slow'))
  await record(accountId, 'quick')

  const before = subjectsOf(await readNow(accountId))
  await slow.commit().execute()
  const after = subjectsOf(await read(accountId, 2))

  assert.deepEqual(before, [])
  assert.deepEqual(after, ['slow', 'quick'])
})

test('events of a transaction that began early but recorded late come after those recorded earlier', async () => {
  const accountId = await anAccount()
  const db = it.database.forAccount(accountId)
  const early = await db.startTransaction().execute()
  await sql`select pg_current_xact_id()`.execute(early)
  await record(accountId, 'first')
  await recordEvent(early, anActor(accountId), anEvent('second'))
  await early.commit().execute()

  assert.deepEqual(subjectsOf(await read(accountId, 2)), ['first', 'second'])
})

test('an event of a rolled back transaction is never read', async () => {
  const accountId = await anAccount()
  const doomed = await it.database.forAccount(accountId).startTransaction().execute()
  await recordEvent(doomed, anActor(accountId), anEvent('doomed'))
  await doomed.rollback().execute()
  await record(accountId, 'next')

  assert.deepEqual(subjectsOf(await read(accountId, 1)), ['next'])
})

test('the cursor before a time precedes all events since, whatever the order of their ids', async () => {
  const accountId = await anAccount()
  await record(accountId, 'long before', AT_MS - 120_000)
  // Its process had a fast clock: it comes first and has the latest id.
  await record(accountId, 'ahead', AT_MS + 30_000)
  // Ids of one millisecond are in random order: with the first id alone, one run in twenty would see all of them.
  const names = Array.from({ length: 20 }, (_, i) => `same millisecond ${i}`)
  for (const name of names) await record(accountId, name)

  const cursor = await findCursorBefore(it.database.forAccount(accountId), accountId, AT_MS)

  const seen = await readUntil(it.database.forAccount(accountId), accountId, 21, { after: cursor })
  assert.deepEqual(subjectsOf(seen), ['ahead', ...names])
  assert.equal(
    await findCursorBefore(it.database.forAccount(accountId), accountId, AT_MS + DAY_MS),
    undefined,
  )
})

test('an account cannot read the events of another', async () => {
  const [accountId, otherId] = [await anAccount(), await anAccount()]
  await record(accountId, 'mine')
  await read(accountId, 1)

  assert.deepEqual(await readNow(otherId), [])
  assert.deepEqual(await readEvents(it.database.forAccount(otherId), accountId, undefined, 100), [])
  assert.deepEqual(await readEvents(it.database.forAccount(accountId), otherId, undefined, 100), [])
})

test('events older than seven days are purged in batches, for all accounts', async () => {
  const accounts = [await anAccount(), await anAccount()]
  await purgeAll() // events of other tests
  for (const accountId of accounts) {
    await addEvents(accountId, 1_250, AT_MS - 7 * DAY_MS - 1)
    await record(accountId, 'kept', AT_MS - 7 * DAY_MS)
  }

  const purged = await purgeAll()

  assert.deepEqual(purged, [1_000, 1_000, 500, 0])
  for (const accountId of accounts) assert.deepEqual(subjectsOf(await read(accountId, 1)), ['kept'])
})

async function purgeAll(): Promise<number[]> {
  const counts: number[] = []
  while (counts.at(-1) !== 0) counts.push(await purgeEvents(it.database.platform, AT_MS))
  return counts
}

test('events are read by an index scan without a sort', async () => {
  const [accountId, otherId] = [await anAccount(), await anAccount()]
  for (const account of [accountId, otherId]) await addEvents(account, 10_000, AT_MS)
  await asOwner('analyze events')
  const middle = (await read(accountId, 5_000, 5_000)).at(-1)

  for (const after of [undefined, middle?.cursor]) {
    const query = selectEvents(it.database.forAccount(accountId), accountId, after, 100)
    for (const steps of Object.values(await queryPlans(it.serviceUrl, accountId, query))) {
      assert.ok(!steps.some(({ type }) => /Seq Scan|Sort/.test(type)), JSON.stringify(steps))
      assert.deepEqual(
        steps.flatMap(({ index }) => index ?? []),
        ['events_in_order'],
      )
    }
  }
})

async function addEvents(accountId: string, count: number, atMs: number): Promise<void> {
  await sql`
    insert into events (account_id, event_id, at_ms, kind, subject_type, subject_id, data)
    select ${accountId}, gen_random_uuid(), ${atMs}, 'channel.changed', 'linear_channel', 'x', '{}'
      from generate_series(1, ${count}::integer)`.execute(it.database.forAccount(accountId))
}

async function asOwner(statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: it.ownerUrl })
  await owner.connect()
  await owner.query(statement)
  await owner.end()
}

test('after a restore into another cluster, a cursor from before the restore starts with the oldest event again', async () => {
  const accountId = await anAccount()
  for (const subject of ['one', 'two', 'three']) await record(accountId, subject)
  const before = await read(accountId, 3)
  // Transaction ids of the backed up cluster may be far above those of this one.
  const platform = new pg.Client(it.ownerUrl)
  await platform.connect()
  await platform.query('update events set horizon = 9007199254740991 where account_id = $1', [accountId])
  const hidden = await readNow(accountId)

  await platform.query('select begin_feed_epoch(epoch, 0, 0, $1) from feed_epoch', ['test'])
  await record(accountId, 'four')
  const ordering: number[] = []
  const counts: number[] = []
  while (counts.at(-1) !== 0) {
    ordering.push((await readNow(accountId)).length)
    const { rows } = await platform.query('select reset_event_horizons(2) as count')
    counts.push(rows[0].count)
  }
  await platform.end()
  const after = await readUntil(it.database.forAccount(accountId), accountId, 4, {
    after: before.at(-1)!.cursor,
    limit: 2,
  })

  assert.deepEqual(hidden, [])
  // Nothing is read until all of them have been reordered.
  assert.ok(counts.length >= 3, counts.join())
  assert.ok(
    ordering.every((count) => count === 0),
    ordering.join(),
  )
  assert.deepEqual(subjectsOf(after), ['one', 'two', 'three', 'four'])
  assert.deepEqual(await readNow(accountId, after.at(-1)!.cursor), [])
})
