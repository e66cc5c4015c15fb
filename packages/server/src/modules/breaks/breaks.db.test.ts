import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { BreakLog } from '@continuity/core/live/break-log'
import { sql } from 'kysely'
import { type ApiUser, anApi } from '../../http/testing/an-api.ts'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { aConnectedBus, someNats } from '../../platform/feed/testing/a-feed-system.ts'
import { breakSubject, ensureLiveStreams, LIVE_LOG_STREAM } from '../../platform/live-bus/live-streams.ts'
import { readLast } from '../../platform/live-bus/publish-after.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { addressOf, aLiveApi, aSource } from '../live/testing/a-live-api.ts'
import { breakRoutes } from './routes.ts'

const { admin, accountId, otherId, db, database } = await aLiveApi()

const SLOT_MS = 3_200

/** An active source with a broker, and its breaks as nodes read them. The broker's clock is the test's. */
async function anActiveSource(t: TestContext) {
  const nats = await someNats(t)
  const bus = await aConnectedBus(t, nats.servers[0]!.url)
  await ensureLiveStreams(bus.connection()!, 1)
  const clock = { ms: NOW_MS }
  const api = await anApi(breakRoutes({ database, bus, readBrokerMs: async () => clock.ms }))
  const source = await aSource(admin)
  const { live_source_id: sourceId } = source
  await setState(sourceId, 'ACTIVE')
  const call = (user: ApiUser, what: 'insert' | 'end', body: object = {}, headers = {}) =>
    user.post<Answer>(`${addressOf(source)}/adbreak/${what}`, body, headers)
  const breaks = async () =>
    (await readLast(bus, LIVE_LOG_STREAM, breakSubject(sourceId)))?.json<BreakLog>().breaks ?? []
  return { api, user: api.userOf(accountId), other: api.userOf(otherId), nats, clock, sourceId, call, breaks }
}

interface Answer {
  readonly code?: string
  readonly message: string
  readonly duration: number
}

const setState = (sourceId: string, state: string) =>
  sql`update live_sources set state = ${state} where live_source_id = ${sourceId}`.execute(db)

const rowsOf = async (table: 'events' | 'audit_entries' | 'live_breaks', sourceId: string) => {
  const statements = {
    events: sql<{ it: string }>`select kind as it from events where subject_id = ${sourceId}
                                   and kind like 'ad_break.%' order by number`,
    audit_entries: sql<{ it: string }>`select action as it from audit_entries where subject_id = ${sourceId}
                                          and action like 'ad_break.%' order by audit_id`,
    live_breaks: sql<{ it: string }>`select version::text as it from live_breaks
                                      where live_source_id = ${sourceId}`,
  }
  return (await statements[table].execute(db)).rows.map(({ it }) => it)
}

test('a break begins at a slot that is not listed yet, has whole slots, and is stored, audited and an event', async (t) => {
  const { user, clock, sourceId, call, breaks } = await anActiveSource(t)

  const answer = await call(user, 'insert', { duration: 30 })

  assert.equal(answer.statusCode, 200, answer.body)
  assert.deepEqual(answer.json(), {
    status_code: 200,
    message: 'The ad break begins.',
    live_source_id: sourceId,
    duration: 30,
    status: '',
  })
  const [found, ...others] = await breaks()
  assert.equal(others.length, 0)
  assert.equal(found!.plannedSlots, 10, '30 s are 9.4 slots of 3.2 s')
  const startMs = found!.firstSlot * SLOT_MS
  // A slot is listed 2.5 s after its end at the earliest, and nodes need 1.5 s to receive a change.
  const listedMs = startMs + SLOT_MS + 2_500
  assert.ok(listedMs >= clock.ms + 1_500 && startMs <= clock.ms + SLOT_MS, `${startMs - clock.ms} ms ahead`)
  assert.deepEqual(await rowsOf('live_breaks', sourceId), ['1'])
  assert.deepEqual(await rowsOf('events', sourceId), ['ad_break.inserted'])
  assert.deepEqual(await rowsOf('audit_entries', sourceId), ['ad_break.insert'])
})

test('an open break excludes another one, is ended once, and its actual length is returned', async (t) => {
  const { user, clock, sourceId, call, breaks } = await anActiveSource(t)
  await call(user, 'insert', { duration: 120 })

  const second = await call(user, 'insert', { duration: 30 })
  assert.deepEqual([second.statusCode, second.json().code], [409, 'ad_break.open'])

  clock.ms = (await breaks())[0]!.firstSlot * SLOT_MS + 10_000
  const ended = await call(user, 'end')
  assert.equal(ended.statusCode, 200, ended.body)
  const [found] = await breaks()
  const lengthMs = (found!.endSlot - found!.firstSlot) * SLOT_MS
  assert.ok(Math.abs(lengthMs - 10_000) <= SLOT_MS, `${lengthMs} ms`)
  assert.equal(ended.json().duration, Math.ceil(lengthMs / 1_000))

  clock.ms = found!.endSlot * SLOT_MS
  const again = await call(user, 'end')
  assert.deepEqual([again.statusCode, again.json().code], [409, 'ad_break.not_open'])
  const next = await call(user, 'insert', { duration: 30 })
  assert.equal(next.statusCode, 200, next.body)
  assert.deepEqual(await rowsOf('events', sourceId), [
    'ad_break.inserted',
    'ad_break.ended',
    'ad_break.inserted',
  ])
  await assertEvents(db, ['ad_break.inserted', 'ad_break.ended'])
})

test('a repeated Idempotency-Key inserts one break and returns the same answer', async (t) => {
  const { user, sourceId, call, breaks } = await anActiveSource(t)
  const key = { 'idempotency-key': 'break-at-eight' }

  const answers = [
    await call(user, 'insert', { duration: 30 }, key),
    await call(user, 'insert', { duration: 30 }, key),
  ]

  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200],
  )
  assert.equal(answers[0]!.body, answers[1]!.body)
  assert.equal((await breaks()).length, 1)
  assert.deepEqual(await rowsOf('events', sourceId), ['ad_break.inserted'])
})

test('of two breaks that are inserted at once, one is', async (t) => {
  const { user, sourceId, call, breaks } = await anActiveSource(t)

  const answers = await Promise.all([1, 2, 3].map(() => call(user, 'insert', { duration: 30 })))

  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, 409, 409],
  )
  assert.equal((await breaks()).length, 1)
  assert.deepEqual(await rowsOf('events', sourceId), ['ad_break.inserted'])
})

test('a source of another account, or one that is not active, has no breaks', async (t) => {
  const { api, user, other, sourceId, call, breaks } = await anActiveSource(t)

  for (const what of ['insert', 'end'] as const) {
    const answer = await call(other, what, { duration: 30 })
    assert.deepEqual([answer.statusCode, answer.json().code], [404, 'live_source.not_found'], what)
  }
  const viewer = await call(api.userOf(accountId, ['ROLE_SCHEDULE']), 'insert', { duration: 30 })
  assert.equal(viewer.statusCode, 403, viewer.body)
  for (const state of ['IDLE', 'ACTIVATING', 'DEACTIVATING', 'ERROR']) {
    await setState(sourceId, state)
    const answer = await call(user, 'insert', { duration: 30 })
    assert.deepEqual([answer.statusCode, answer.json().code], [409, 'live_source.not_active'], state)
  }
  assert.deepEqual(await breaks(), [])
  assert.deepEqual(await rowsOf('audit_entries', sourceId), [])
})

test('without NATS a break is rejected with 503, and nothing is recorded', async (t) => {
  const { user, nats, sourceId, call } = await anActiveSource(t)
  await nats.servers[0]!.kill()

  for (const what of ['insert', 'end'] as const) {
    const answer = await call(user, what, { duration: 30 })
    assert.deepEqual([answer.statusCode, answer.json().code], [503, 'feed.unavailable'], what)
  }
  for (const table of ['events', 'audit_entries', 'live_breaks'] as const)
    assert.deepEqual(await rowsOf(table, sourceId), [], table)
})
