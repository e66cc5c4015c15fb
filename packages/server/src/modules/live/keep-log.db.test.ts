import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type BreakLog, changeByCue, emptyBreakLog, insertBreak } from '@continuity/core/live/break-log'
import { nextLog, type SlotLog } from '@continuity/core/live/slot-log'
import { jetstream } from '@nats-io/jetstream'
import { sql } from 'kysely'
import { manageStreams } from '../../platform/feed/feed-stream.ts'
import { aConnectedBus, someNats } from '../../platform/feed/testing/a-feed-system.ts'
import {
  breakSubject,
  ensureLiveStreams,
  LIVE_LOG_STREAM,
  LOG_KEPT_MS,
  logSubject,
} from '../../platform/live-bus/live-streams.ts'
import { publishAfter, readLast } from '../../platform/live-bus/publish-after.ts'
import { hourOf, slotFolder } from '../../platform/live-bus/slot-folder.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { keepLog } from './keep-log.ts'
import { loadLiveView } from './read.ts'
import { aLiveApi, aSource } from './testing/a-live-api.ts'

const SLOT_MS = 3_200
const { admin, accountId, otherId, db, database } = await aLiveApi()

async function aKeptSource(t: TestContext) {
  const nats = await someNats(t)
  const bus = await aConnectedBus(t, nats.servers[0]!.url)
  await ensureLiveStreams(bus.connection()!, 1)
  const { live_source_id: sourceId } = await aSource(admin)
  const id = { accountId, sourceId }
  // The broker stamps messages by its own clock, so slots are of now.
  const nowMs = Date.now()
  const now = Math.floor(nowMs / SLOT_MS)
  let log: SlotLog | undefined
  let sequence = 0
  const write = async (slot: number, epoch = 1, over: Partial<SlotLog> = {}) => {
    const stored = log === undefined ? undefined : { log, storedMs: nowMs }
    const writing = { token: 1, folder: `live/${accountId}/${sourceId}`, slotMs: SLOT_MS, keptFrom: 0 }
    log = { ...nextLog(stored, { slot, epoch, key: `key ${epoch}` }, writing), ...over }
    sequence = (await publishAfter(bus, logSubject({ ...id, input: 0 }), JSON.stringify(log), sequence))!
  }
  const keep = (atMs = nowMs) => db.transaction().execute((tx) => keepLog(tx, bus, id, atMs))
  const entryAt = async (slot: number) =>
    (await loadLiveView(db, accountId, [sourceId])).findLog(sourceId)?.entryAt(slot)
  const loseStream = async () => {
    const { streams } = await manageStreams(bus.connection()!)
    await streams.delete(LIVE_LOG_STREAM)
    await ensureLiveStreams(bus.connection()!, 1)
    sequence = 0
  }
  return { bus, id, sourceId, nowMs, now, write, keep, entryAt, loseStream }
}

const dueMsOf = async (sourceId: string) => {
  const { rows } = await sql<{ readonly due_ms: number }>`
    select due_ms from due_rows where kind = 'live_log' and subject_id = ${sourceId}`.execute(db)
  return rows[0]?.due_ms
}

test('the live log is copied with its verdicts, and only for its account', async (t) => {
  const { sourceId, now, write, keep, entryAt } = await aKeptSource(t)
  await write(now - 9)
  await write(now)
  await keep()

  assert.equal(await entryAt(now - 9), undefined, 'it arrived too late')
  assert.deepEqual(await entryAt(now), {
    slot: now,
    epoch: 2,
    path: slotFolder(`live/${accountId}/${sourceId}`, 'key 1', now, SLOT_MS),
  })
  const others = await loadLiveView(database.forAccount(otherId), otherId, [sourceId])
  assert.equal(others.findLog(sourceId), undefined)
})

test('a lost stream is restored with the verdicts, and the copy loses none of them', async (t) => {
  const { bus, id, now, write, keep, entryAt, loseStream } = await aKeptSource(t)
  await write(now - 9)
  await write(now)
  await keep()
  await loseStream()
  await keep()

  const refilled = (await readLast(bus, LIVE_LOG_STREAM, logSubject({ ...id, input: 0 })))!.json<SlotLog>()
  assert.deepEqual(
    refilled.ranges.map(({ firstSlot, endSlot }) => [firstSlot, endSlot]),
    [[now, now + 1]],
  )
  assert.equal(refilled.newest, null)
  assert.equal(refilled.knownFrom, now - 9)
  // Another writer without the history has written before the copy was published.
  await loseStream()
  const text = { ...refilled, token: 9, knownFrom: now + 1, ranges: [], newest: null }
  await jetstream(bus.connection()!).publish(logSubject({ ...id, input: 0 }), JSON.stringify(text))
  await keep()
  assert.ok(await entryAt(now))
})

test('breaks are copied and restored, and an older version never replaces a newer one', async (t) => {
  const { bus, id, sourceId, nowMs, keep, loseStream } = await aKeptSource(t)
  const draft = { key: 'a', origin: 'API', durationMs: 30_000, slate: null } as const
  const change = insertBreak(emptyBreakLog(SLOT_MS), draft, nowMs)
  assert.ok(change.kind === 'changed')
  await publishAfter(bus, breakSubject(sourceId), JSON.stringify(change.log), 0)
  await keep()
  await loseStream()
  await keep()

  const message = await readLast(bus, LIVE_LOG_STREAM, breakSubject(sourceId))
  assert.deepEqual(message!.json(), change.log)
  const older = JSON.stringify({ ...change.log, version: 0, breaks: [] })
  await publishAfter(bus, breakSubject(sourceId), older, message!.seq)
  await keep()
  const { rows } = await sql<{ readonly version: number }>`
    select version from live_breaks where live_source_id = ${id.sourceId}`.execute(db)
  assert.deepEqual(rows, [{ version: 1 }])
})

test('each break from the playlist of a source is recorded as an event once', async (t) => {
  const { bus, sourceId, nowMs, keep } = await aKeptSource(t)
  const slot = Math.ceil(nowMs / SLOT_MS)
  const change = (log: BreakLog, kind: 'out' | 'in', at: number) => {
    const changed = changeByCue(log, { kind, durationMs: undefined }, { slot: at, slate: null }, nowMs)
    assert.ok(changed.kind === 'changed')
    return changed.log
  }
  const opened = change(emptyBreakLog(SLOT_MS), 'out', slot)
  const first = await publishAfter(bus, breakSubject(sourceId), JSON.stringify(opened), 0)
  await keep()
  await keep()
  const closed = change(opened, 'in', slot + 3)
  await publishAfter(bus, breakSubject(sourceId), JSON.stringify(closed), first!)
  await keep()
  await keep()

  const { rows } = await sql<{ readonly kind: string; readonly duration: number }>`
    select kind, (data ->> 'duration')::int as duration from events
     where subject_id = ${sourceId} and kind like 'ad_break.%' order by number`.execute(db)
  assert.deepEqual(rows, [
    { kind: 'ad_break.inserted', duration: 122 },
    { kind: 'ad_break.ended', duration: 10 },
  ])
  await assertEvents(db, ['ad_break.inserted', 'ad_break.ended'])
})

test('segments are deleted by the hour after 48 hours, and then the source is no longer due', async (t) => {
  const { sourceId, nowMs, now, write, keep } = await aKeptSource(t)
  await write(now)
  await keep()
  assert.equal(await dueMsOf(sourceId), nowMs + 3_600_000)
  const deleted = async () => {
    const { rows } = await sql<{ readonly hour: number }>`
      select (data->'data'->>'hour')::int as hour from pgboss.job
       where name = 'delete_live_segments' and data::text like ${`%${sourceId}%`} order by 1`.execute(
      database.platform,
    )
    return rows.map(({ hour }) => hour)
  }

  await keep(nowMs + LOG_KEPT_MS)
  assert.deepEqual(await deleted(), [])
  await sql`delete from due_rows where subject_id = ${sourceId}`.execute(db)
  await keep(nowMs + LOG_KEPT_MS + 2 * 3_600_000)

  assert.deepEqual(await deleted(), [hourOf(nowMs), hourOf(nowMs) + 1])
  assert.equal(await dueMsOf(sourceId), undefined)
})
