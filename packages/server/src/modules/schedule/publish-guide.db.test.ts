import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import { unpackGuide } from '../../platform/feed/guide-codec.ts'
import { beginEpoch, readDatabaseState } from './feed-epoch-store.ts'
import { createLook } from './keep-guides.ts'
import { aScheduleApi, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const { api, feed, database, anAccount, aVideo, place, sweep } = await aScheduleApi()

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const addressOf = ({ channelId }: ScheduleAccount) => `/api/2.3/linear_channels/${channelId}`

async function anAiringChannel(): Promise<ScheduleAccount> {
  const account = await anAccount()
  const answer = await account.admin.put(`${addressOf(account)}/start`)
  assert.equal(answer.statusCode, 200, answer.body)
  await sweep()
  api.nowMs += 10_000
  await sweep()
  return account
}

/** Places a program of an hour, some days ahead. */
async function placeAhead(account: ScheduleAccount, days: number, title: string): Promise<string> {
  const startMs = Math.ceil(api.nowMs / HOUR_MS) * HOUR_MS + days * DAY_MS
  const items = [videoItem(await aVideo(account, 3_600), 3_600)]
  return place(account, { startMs, endMs: startMs + HOUR_MS, title, items })
}

const guidesOf = ({ channelId }: ScheduleAccount) => feed.guides.filter((it) => it.channelId === channelId)

const titlesOf = async (account: ScheduleAccount) =>
  (await unpackGuide(guidesOf(account).at(-1)!.bytes)).map(({ title }) => title)

async function dueInMs({ db, channelId }: ScheduleAccount): Promise<number | undefined> {
  const { rows } = await sql<{ due: number }>`
    select due_ms as due from due_rows where kind = 'publish_guide' and subject_id = ${channelId}`.execute(db)
  return rows[0] && rows[0].due - api.nowMs
}

test('changes within ten seconds are one guide, published two minutes after them at the latest', async () => {
  const account = await anAiringChannel()
  const published = guidesOf(account).length
  await placeAhead(account, 10, 'Far')
  api.nowMs += 4_000
  await placeAhead(account, 11, 'Farther')
  await sweep()
  assert.equal(guidesOf(account).length, published)

  api.nowMs += 6_000
  await sweep()

  assert.equal(guidesOf(account).length, published + 1)
  assert.deepEqual(await titlesOf(account), ['Far', 'Farther'])
  const versions = guidesOf(account).map(({ version }) => version)
  assert.deepEqual(
    versions,
    [...new Set(versions)].toSorted((one, other) => one - other),
  )
})

test('a guide has what a guide prints, from now to 14 days, and is renewed before nodes reach its end', async () => {
  const account = await anAiringChannel()
  const id = await placeAhead(account, 3, 'Near')
  for (const [days, title] of [
    [14, 'Last'],
    [15, 'Beyond'],
  ] as const)
    await placeAhead(account, days, title)
  api.nowMs += 10_000
  await sweep()

  const [near] = await unpackGuide(guidesOf(account).at(-1)!.bytes)
  const renewMs = (await dueInMs(account))!

  assert.equal(near?.id, id)
  assert.equal(near.endMs - near.startMs, HOUR_MS)
  assert.deepEqual(await titlesOf(account), ['Near', 'Last'])
  assert.ok(renewMs >= 6 * HOUR_MS && renewMs <= 7 * HOUR_MS, `${renewMs}`)
})

test('a program that another one replaces is no longer in the guide', async () => {
  const account = await anAiringChannel()
  await placeAhead(account, 10, 'Before')
  api.nowMs += 10_000
  await sweep()
  await placeAhead(account, 10, 'After')
  api.nowMs += 10_000
  await sweep()

  assert.deepEqual(await titlesOf(account), ['After'])
})

test('a guide that was not published, because NATS or the process was gone, is published half a minute later', async () => {
  const account = await anAiringChannel()
  await placeAhead(account, 10, 'Far')
  api.nowMs += 10_000
  feed.isUp = false
  // Fails after the commit, as if the process had been killed there.
  await assert.rejects(sweep(), /NATS is gone/)
  feed.isUp = true

  assert.equal(await dueInMs(account), 30_000)
  api.nowMs += 30_000
  await sweep()

  assert.deepEqual(await titlesOf(account), ['Far'])
})

test('a change while a guide is published is in the next one', async () => {
  const account = await anAiringChannel()
  await placeAhead(account, 10, 'Far')
  api.nowMs += 10_000
  const { publishGuide } = feed
  feed.publishGuide = async (...args) => {
    feed.publishGuide = publishGuide
    await publishGuide(...args)
    await placeAhead(account, 11, 'Farther')
  }
  await sweep()
  assert.deepEqual(await titlesOf(account), ['Far'])
  assert.equal(await dueInMs(account), 10_000)

  api.nowMs += 10_000
  await sweep()

  assert.deepEqual(await titlesOf(account), ['Far', 'Farther'])
})

test('a channel that was never started has no guide, and the last one of a deleted channel is empty', async () => {
  const account = await anAccount()
  await placeAhead(account, 10, 'Far')
  api.nowMs += 10_000
  await sweep()
  assert.deepEqual(guidesOf(account), [])

  await account.admin.put(`${addressOf(account)}/start`)
  await sweep()
  api.nowMs += 10_000
  await sweep()
  assert.deepEqual(await titlesOf(account), ['Far'])
  await account.admin.put(`${addressOf(account)}/stop`, { immediate: true })
  api.nowMs += 60_000
  await sweep()
  const answer = await account.admin.delete(addressOf(account))
  assert.equal(answer.statusCode, 204, answer.body)
  api.nowMs += 10_000
  await sweep()

  assert.deepEqual(await titlesOf(account), [])
})

test('every guide is published again into a new stream, in a new epoch, and where a worker was killed before the marker', async () => {
  const account = await anAiringChannel()
  await placeAhead(account, 10, 'Far')
  api.nowMs += 10_000
  await sweep()
  let created = 'first'
  let marker: { created: string; epoch: number; isCurrent: boolean } | undefined
  let isKilled = false
  const look = createLook({
    database,
    guides: {
      ensureStream: async () => created,
      findMarker: async () => marker,
      publishMarker: async (published) => {
        if (isKilled) throw new Error('killed')
        marker = { ...published, isCurrent: true }
      },
    },
    clock: () => api.nowMs,
    logger: aCapturedLog().logger,
    isPaused: () => false,
    isFeedUp: () => true,
  })
  const isPublishedAgain = async () => {
    const before = guidesOf(account).length
    await look().catch((error: unknown) => assert.match(String(error), /killed/))
    api.nowMs += 300_000
    await sweep()
    return guidesOf(account).length > before
  }
  assert.equal(await isPublishedAgain(), true)
  assert.equal(await isPublishedAgain(), false)

  created = 'second'
  isKilled = true
  assert.equal(await isPublishedAgain(), true)
  isKilled = false
  assert.equal(await isPublishedAgain(), true)
  assert.equal(await isPublishedAgain(), false)

  const { epoch: expected } = await readDatabaseState(database.platform)
  await beginEpoch(database.platform, { expected, above: expected, reason: 'test' }, api.nowMs)
  assert.equal(await isPublishedAgain(), true)
  assert.ok(guidesOf(account).at(-1)!.epoch > expected)
  marker = { ...marker!, isCurrent: false }
  assert.equal(await isPublishedAgain(), true)
  assert.equal(await isPublishedAgain(), false)
})
