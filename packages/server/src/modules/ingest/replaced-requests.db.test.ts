import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Asset, findAsset } from '../assets/asset-store.ts'
import type { MadeAsset } from '../assets/end-asset.ts'
import { makeDefaultMedia } from '../assets/make-default-media.ts'
import { findChannelLocked } from '../channels/index.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { failRequest } from './fail-dead-letters.ts'
import { ingestDue } from './jobs.ts'
import { settleFailed, settleReady } from './settle-asset.ts'
import { aFinishingRun, anIngestApi, aProgram, aVideo, type IngestAccount } from './testing/an-ingest-api.ts'

const { api, anAccount, submit, statusOf, process } = await anIngestApi()

const HOUR_MS = 3_600_000
const DURATION_MS = 1_800_000
const made: MadeAsset = {
  path: 'assets/a/b/c',
  durationTicks: 5_400_000,
  segmentCount: 19,
  images: [],
  found: { chaptersMs: [], proposedMs: [] },
  givenMs: null,
}
const reason = { code: 'media.no_video', message: 'The file has no video stream.' }

/** Programs of one time slot, which begins in an hour. `extra` is fields that the video has besides the usual ones. */
function aSlot(account: IngestAccount) {
  const startMs = api.nowMs + HOUR_MS
  const schedule = { start_time: new Date(startMs).toISOString(), duration_ms: DURATION_MS }
  return {
    startMs,
    endMs: startMs + DURATION_MS,
    submit: (title: string, extra: object = {}) => {
      const videos = [{ ...aVideo(`${title}-1`), ...extra }]
      return submit(account, aProgram(account.channelId, { program_title: title, schedule, videos }))
    },
  }
}

const actorOf = ({ accountId }: IngestAccount) => ({
  accountId,
  userId: null,
  requestId: null,
  nowMs: api.nowMs,
})

async function assetOf({ db, accountId }: IngestAccount, requestId: string): Promise<Asset> {
  const { rows } = await sql<{ id: string }>`
    select asset_id as id from ingest_items where request_id = ${requestId} and asset_id is not null`.execute(
    db,
  )
  return (await findAsset(db, accountId, rows[0]!.id))!
}

async function makeReady(account: IngestAccount, requestId: string): Promise<void> {
  const asset = await assetOf(account, requestId)
  await account.db.transaction().execute((tx) => settleReady(tx, actorOf(account), asset, made))
}

async function makeFail(account: IngestAccount, requestId: string): Promise<void> {
  const asset = await assetOf(account, requestId)
  await account.db.transaction().execute((tx) => settleFailed(tx, actorOf(account), asset, reason))
}

/** The default slates of the account, which fill the time that is not scheduled. */
async function makeSlatesReady(account: IngestAccount): Promise<void> {
  await makeDefaultMedia(aFinishingRun(account, {}, api.nowMs))
  const { rows } = await sql<{ id: string }>`select asset_id as id from assets`.execute(account.db)
  for (const { id } of rows) {
    const asset = (await findAsset(account.db, account.accountId, id))!
    await account.db.transaction().execute((tx) => settleReady(tx, actorOf(account), asset, made))
  }
}

/** A request whose program is on the channel with all of its videos. */
async function aScheduled(
  account: IngestAccount,
  slot: ReturnType<typeof aSlot>,
  title: string,
  extra: object = {},
) {
  const requestId = await slot.submit(title, extra)
  await process(account, requestId)
  await makeReady(account, requestId)
  return requestId
}

const statesOf = (account: IngestAccount, ...ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await statusOf(account, id)).state))

/** The title of the program that airs in a slot, as the channel's schedule has it. */
async function airingIn({ db, channelId }: IngestAccount, startMs: number): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select title from programs
     where linear_channel_id = ${channelId} and removed_ms is null and start_ms = ${startMs}`.execute(db)
  return rows.map(({ title }) => title)
}

async function openAlerts({ accountId, db }: IngestAccount): Promise<string[]> {
  const { rows } = await sql<{ message: string }>`
    select message from alerts
     where account_id = ${accountId} and code = 'program.failed' and closed_ms is null`.execute(db)
  return rows.map(({ message }) => message)
}

test('when the last of a chain of replacements is too late, the one that airs is SCHEDULED', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const first = await aScheduled(account, slot, 'A')
  const second = await slot.submit('B')
  const third = await slot.submit('C')
  await process(account, second)

  api.nowMs = slot.startMs - 20_000
  await process(account, third)

  assert.deepEqual(await airingIn(account, slot.startMs), ['A'])
  assert.deepEqual(await statesOf(account, first, second, third), ['SCHEDULED', 'REPLACED', 'FAILED'])
})

test('when only the middle of a chain was placed, that one airs and is SCHEDULED', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const first = await aScheduled(account, slot, 'A')
  const second = await aScheduled(account, slot, 'B')
  const third = await slot.submit('C')

  api.nowMs = slot.startMs - 20_000
  await process(account, third)

  assert.deepEqual(await airingIn(account, slot.startMs), ['B'])
  assert.deepEqual(await statesOf(account, first, second, third), ['REPLACED', 'SCHEDULED', 'FAILED'])
})

test('a request that is restored waits for its videos again: a replaced one in between has cancelled none of them', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const first = await slot.submit('A')
  await process(account, first)
  const second = await slot.submit('B')
  const third = await slot.submit('C')
  await process(account, second)

  api.nowMs = slot.startMs - 20_000
  await process(account, third)
  assert.deepEqual(await statesOf(account, first), ['PROCESSING'])
  await makeReady(account, first)

  assert.deepEqual(await statesOf(account, first), ['SCHEDULED'])
})

test('a request whose job runs again after it was replaced stays replaced, and keeps the videos of the program that airs', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const first = await slot.submit('A')
  await process(account, first)
  const second = await slot.submit('B')

  await process(account, first)
  assert.deepEqual(await statesOf(account, first, second), ['REPLACED', 'QUEUED'])
  assert.equal((await assetOf(account, first)).state, 'QUEUED')
  await makeReady(account, first)
  await process(account, first)

  assert.deepEqual(await statesOf(account, first, second), ['REPLACED', 'QUEUED'])
})

test('a request whose program has made room for one of another source is not restored', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const first = await aScheduled(account, slot, 'A')
  const at = (startMs: number, duration_ms: number) => ({
    schedule: { start_time: new Date(startMs).toISOString(), duration_ms },
  })
  const [shortMs, restMs] = [600_000, DURATION_MS - 600_000]
  const short = aProgram(account.channelId, { videos: [aVideo('B-1')], ...at(slot.startMs, shortMs) })
  const second = await submit(account, short)
  const south = { source_id: 'south', videos: [aVideo('S-1')], ...at(slot.startMs + shortMs, restMs) }
  const other = await submit(account, aProgram(account.channelId, south))
  await process(account, other)

  await failRequest(aFinishingRun(account, { request_id: second }, api.nowMs))

  assert.deepEqual(await statesOf(account, first, second, other), ['REPLACED', 'FAILED', 'PROCESSING'])
  assert.deepEqual(await airingIn(account, slot.startMs), [])
})

test('a dead letter does not fail a request that was placed meanwhile', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const placed = await slot.submit('A')
  await process(account, placed)

  await failRequest(aFinishingRun(account, { request_id: placed }, api.nowMs))

  assert.deepEqual(await statesOf(account, placed), ['PROCESSING'])
  assert.deepEqual(await airingIn(account, slot.startMs), ['A'])
  assert.deepEqual(await openAlerts(account), [])
})

test('the videos of every request in a chain are cancelled when its last is placed', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const first = await slot.submit('A')
  await process(account, first)
  const second = await slot.submit('B')
  const third = await slot.submit('C')
  await process(account, second)

  await process(account, third)

  const { state } = await assetOf(account, first)
  assert.deepEqual([state, await airingIn(account, slot.startMs)], ['CANCELLED', ['C']])
})

test('a replacement that could not be processed leaves what it was to replace SCHEDULED, with its warnings once', async () => {
  const account = await anAccount()
  await makeSlatesReady(account)
  const slot = aSlot(account)
  const first = await aScheduled(account, slot, 'A', { rights: 'all' })
  const { warnings } = await statusOf(account, first)
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['item.unknown_field', 'program.no_filler'],
  )
  const second = await slot.submit('B')

  await failRequest(aFinishingRun(account, { request_id: second }, api.nowMs))

  const restored = await statusOf(account, first)
  assert.deepEqual([restored.state, restored.warnings], ['SCHEDULED', warnings])
  assert.deepEqual(await airingIn(account, slot.startMs), ['A'])
})

test('a video that fails while its request is replaced fails the request when it is restored, and its time is free', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const first = await slot.submit('A')
  await process(account, first)
  const second = await slot.submit('B')
  await makeFail(account, first)

  api.nowMs = slot.startMs - 20_000
  await process(account, second)

  assert.deepEqual(await statesOf(account, first, second), ['FAILED', 'FAILED'])
  assert.deepEqual(await airingIn(account, slot.startMs), [])
  await assertEvents(account.db, ['program.removed'])
})

test('requests that are accepted and processed concurrently leave one that airs, and only its state shows that', async () => {
  const account = await anAccount()
  for (let round = 0; round < 8; round += 1) {
    const slot = aSlot(account)
    const first = await aScheduled(account, slot, `A${round}`)
    const second = await slot.submit(`B${round}`)
    api.nowMs = slot.startMs - 61_000
    const handedOver = slot.submit(`C${round}`)
    const processed = process(account, second)
    const third = await handedOver
    await processed
    api.nowMs = slot.startMs - 20_000
    await process(account, third)

    const states = await statesOf(account, first, second, third)
    const airing = await airingIn(account, slot.startMs)
    const isAlive = (state: string) => state === 'SCHEDULED' || state === 'PROCESSING'
    const alive = ['A', 'B', 'C'].filter((_, at) => isAlive(states[at]!)).map((name) => `${name}${round}`)
    assert.deepEqual(alive, airing, states.join())
    api.nowMs = slot.endMs
  }
})

test('a request is accepted and placed under the lock of its channel: neither misses a change of the other', async () => {
  const account = await anAccount()
  const requestId = await aSlot(account).submit('A')
  const isWaiting = async (): Promise<'waits'> => {
    const { rows } = await sql`select from pg_locks where not granted`.execute(account.db)
    return rows.length > 0 ? 'waits' : isWaiting()
  }

  const locked = await account.db.transaction().execute(async (tx) => {
    await findChannelLocked(tx, account.accountId, account.channelId)
    const processed = process(account, requestId).then(() => 'placed' as const)
    return { processed, first: await Promise.race([processed, isWaiting()]) }
  })

  assert.equal(locked.first, 'waits')
  assert.equal(await locked.processed, 'placed')
})

test('a program that fails before its time opens an alert that names it, until another has its time slot', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const first = await slot.submit('Lost')
  await process(account, first)
  await makeFail(account, first)

  const [message, ...more] = await openAlerts(account)
  assert.deepEqual(more, [])
  for (const part of ['"Lost"', '"One"', new Date(slot.startMs).toISOString(), 'request.no_fill'])
    assert.ok(message!.includes(part), message)

  const again = await slot.submit('Lost')
  await process(account, again)
  await makeFail(account, again)
  assert.equal((await openAlerts(account)).length, 1)

  await aScheduled(account, slot, 'Found')
  assert.deepEqual(await openAlerts(account), [])
})

test('a program of another source in the same time slot closes the alert of a failed one', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const first = await slot.submit('Lost')
  await process(account, first)
  await makeFail(account, first)

  const schedule = { start_time: new Date(slot.startMs - 60_000).toISOString(), duration_ms: DURATION_MS }
  const body = aProgram(account.channelId, { source_id: 'south', schedule, videos: [aVideo('S-1')] })
  const other = await submit(account, body)
  await process(account, other)
  assert.equal((await openAlerts(account)).length, 1)
  await makeReady(account, other)

  assert.deepEqual(await openAlerts(account), [])
})

test('the alert of a failed program is closed when its time is over, and none is opened after that', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  const failed = await slot.submit('Lost')
  await process(account, failed)
  await makeFail(account, failed)
  const { rows } = await sql<{ kind: 'failed_program'; subjectId: string; dueMs: number }>`
    select kind, subject_id as "subjectId", due_ms as "dueMs" from due_rows
     where account_id = ${account.accountId} and kind = 'failed_program'`.execute(account.db)
  assert.deepEqual(
    rows.map(({ subjectId, dueMs }) => [subjectId, dueMs]),
    [[failed, slot.endMs]],
  )

  api.nowMs = slot.endMs
  const due = { ...rows[0]!, accountId: account.accountId }
  await account.db.transaction().execute((tx) => ingestDue.failed_program(tx, due, api.nowMs))
  assert.deepEqual(await openAlerts(account), [])

  const late = await aSlot(account).submit('Late')
  api.nowMs += HOUR_MS + DURATION_MS
  await failRequest(aFinishingRun(account, { request_id: late }, api.nowMs))
  assert.deepEqual(await openAlerts(account), [])
})

test('a program that could not be processed, and one that was too late, open alerts too', async () => {
  const account = await anAccount()
  const slot = aSlot(account)
  await failRequest(aFinishingRun(account, { request_id: await slot.submit('Dead') }, api.nowMs))
  assert.equal((await openAlerts(account)).length, 1)

  await aScheduled(account, slot, 'A')
  const late = await slot.submit('B')
  api.nowMs = slot.startMs - 20_000
  await process(account, late)

  const [message] = await openAlerts(account)
  assert.match(message!, /schedule\.too_late/)
})
