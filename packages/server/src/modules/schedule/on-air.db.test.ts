import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ticksOf } from '@continuity/core/time/ticks'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import { endOfSpan } from '@continuity/core/timeline/span'
import { faultsOf } from '@continuity/core/timeline/timeline-faults'
import { sql } from 'kysely'
import { assertProblem } from '../../http/testing/wire.ts'
import { noteItemEnded } from './index.ts'
import { aScheduleApi, podItem, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const system = await aScheduleApi()
const { api, feed, anAccount, aVideo, place, sweep } = system

const HOUR_MS = 3_600_000
const addressOf = ({ channelId }: ScheduleAccount) => `/api/2.3/linear_channels/${channelId}`
const statusOf = async (account: ScheduleAccount) =>
  (await account.admin.get<{ status: string }>(addressOf(account))).json().status

async function start(account: ScheduleAccount): Promise<void> {
  const answer = await account.admin.put(`${addressOf(account)}/start`)
  assert.equal(answer.statusCode, 200, answer.body)
  await sweep()
}

async function openAlerts({ accountId, db }: ScheduleAccount): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select code || ' ' || severity as text from alerts
     where account_id = ${accountId} and closed_ms is null order by code`.execute(db)
  return rows.map(({ text }) => text)
}

/** What was published of a channel between two times, as text. */
function shownBetween({ channelId }: ScheduleAccount, fromMs: number, toMs: number): string[] {
  const state = feed.stateOf(channelId)!
  const timeline = unpackBetween(state.timeline, 0, Number.MAX_SAFE_INTEGER)!
  assert.deepEqual(faultsOf(timeline), [])
  return timeline.runs
    .flatMap(({ spans }) => spans)
    .filter((span) => endOfSpan(span) > ticksOf(fromMs) && span.startTicks < ticksOf(toMs))
    .map(({ startTicks, airing, segments }) => {
      const at = Math.round((startTicks / 90 - fromMs) / 100) / 10
      return `${at} ${airing.type} ${segments < 100_000 ? segments : 'open'}`
    })
}

test('a channel is on the air as soon as its slates are ready, with a full first playlist and 25 hours planned', async () => {
  const account = await anAccount(false)

  await start(account)
  assert.equal(await statusOf(account), 'PENDING_ON_AIR')
  await system.addSlates(account)
  api.nowMs += 1_000
  await sweep()

  assert.equal(await statusOf(account), 'ON_AIR')
  const { timeline } = feed.stateOf(account.channelId)!
  assert.ok(timeline.runs[0]!.isStart)
  assert.equal(timeline.runs[0]!.startTicks, ticksOf(api.nowMs + 1_500 - 32_000))
  const { rows } = await sql<{ plannedMs: number }>`
    select reach_ms - ${api.nowMs} as "plannedMs" from timelines where linear_channel_id = ${account.channelId}`.execute(
    account.db,
  )
  assert.ok(rows[0]!.plannedMs >= 25 * HOUR_MS)
})

test('a program is shown at its time, with its components in their order', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + HOUR_MS
  const [one, two] = [await aVideo(account, 32), await aVideo(account, 16)]
  await start(account)

  await place(account, {
    startMs,
    endMs: startMs + 120_000,
    items: [videoItem(one, 32), podItem(16), videoItem(two, 16)],
  })
  await sweep()

  assert.deepEqual(shownBetween(account, startMs + 1_000, startMs + 119_000), [
    '-1.1 VIDEO 10',
    '30.9 AD_POD 10',
    '46.9 VIDEO 5',
    '62.9 TIME_FILL 35',
  ])
})

test('the committed timeline is extended every hour, and never ends', async () => {
  const account = await anAccount()
  await start(account)

  for (let hours = 0; hours < 30; hours += 1) {
    api.nowMs += HOUR_MS
    await sweep()
  }

  const shown = shownBetween(account, api.nowMs - HOUR_MS, api.nowMs + 25 * HOUR_MS)
  assert.ok(
    shown.every((line) => line.includes('TIME_FILL')),
    shown.join('\n'),
  )
  assert.equal(await statusOf(account), 'ON_AIR')
})

test('an item that becomes ready takes the rest of its slot from a minute ahead, and what was listed stays', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 120_000
  const late = await aVideo(account, 320, false)
  const items = [videoItem(late, 320)]
  const programId = await place(account, { startMs, endMs: startMs + 400_000, items })
  await start(account)
  api.nowMs = startMs + 10_000

  await system.makeReady(account, late, 320)
  const actor = { accountId: account.accountId, userId: null, requestId: null, nowMs: api.nowMs }
  await account.db.transaction().execute((tx) => noteItemEnded(tx, actor, programId))
  await sweep()

  // A boundary that is a little more than a minute ahead.
  assert.deepEqual(shownBetween(account, startMs, startMs + 60_000), ['-0.1 TIME_FILL 47'])
  assert.ok(
    shownBetween(account, startMs + 80_000, startMs + 300_000).every((line) => line.includes('VIDEO')),
  )
})

test('another program of the same source and start replaces the first, up to half a minute before', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + HOUR_MS
  const [one, two] = [await aVideo(account, 32), await aVideo(account, 64)]
  await start(account)
  await place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(one, 32)] })
  await sweep()

  await place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(two, 64)] })
  await sweep()
  api.nowMs = startMs - 29_000
  await assert.rejects(
    place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(one, 32)] }),
    /too_late/,
  )

  assert.equal(shownBetween(account, startMs + 2_000, startMs + 60_000).length, 1)
})

test('a stopped channel shows its program to the end, and is OFFLINE for every reader from then on', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 120_000
  await place(account, {
    startMs,
    endMs: startMs + 64_000,
    items: [videoItem(await aVideo(account, 64), 64)],
  })
  await start(account)
  api.nowMs = startMs + 10_000

  const answer = await account.admin.put<{ status: string }>(`${addressOf(account)}/stop`)
  assert.equal(answer.json().status, 'PENDING_OFFLINE')
  api.nowMs = startMs + 65_000
  assert.equal(await statusOf(account), 'OFFLINE')
  await sweep()

  const { rows } = await sql<{ status: string }>`
    select status from linear_channels where linear_channel_id = ${account.channelId}`.execute(account.db)
  assert.equal(rows[0]!.status, 'OFFLINE')
  const last = feed.stateOf(account.channelId)!.timeline.runs.at(-1)!
  assert.ok(last.isEnd)
  assert.ok(Math.abs(last.endTicks / 90 - startMs - 64_000) <= 800)
})

test('a channel that is started again continues its numbers', async () => {
  const account = await anAccount()
  await start(account)
  api.nowMs += 60_000
  await account.admin.put(`${addressOf(account)}/stop`, { immediate: true })
  await sweep()
  api.nowMs += 600_000
  await sweep()
  const before = feed.stateOf(account.channelId)!.timeline.runs.at(-1)!

  await start(account)

  const after = feed
    .stateOf(account.channelId)!
    .timeline.runs.find(({ isStart, number }) => isStart && number > before.number)!
  assert.equal(after.firstSequence, before.endSequence)
  assert.equal(await statusOf(account), 'ON_AIR')
})

test('a start before the end of a channel takes the end back', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 61_000
  await place(account, {
    startMs,
    endMs: startMs + HOUR_MS,
    items: [videoItem(await aVideo(account, 3_600), 3_600)],
  })
  await start(account)
  api.nowMs = startMs + 60_000
  await account.admin.put(`${addressOf(account)}/stop`)
  await sweep()

  await start(account)

  const { timeline } = feed.stateOf(account.channelId)!
  assert.equal(timeline.runs.filter(({ isStart }) => isStart).length, 1)
  assert.ok(!timeline.runs.some(({ isEnd }) => isEnd))
})

test('while the feed is gone starts and stops are rejected, and what was planned is published when it is back', async () => {
  const account = await anAccount()
  await start(account)
  feed.isUp = false

  assertProblem(await account.admin.put(`${addressOf(account)}/stop`), 503, 'feed.unavailable')
  const startMs = api.nowMs + HOUR_MS
  await place(account, {
    startMs,
    endMs: startMs + 64_000,
    items: [videoItem(await aVideo(account, 64), 64)],
  })
  await assert.rejects(sweep())
  feed.isUp = true
  api.nowMs += 2_000
  await sweep()

  assert.ok(shownBetween(account, startMs + 2_000, startMs + 60_000).every((line) => line.includes('VIDEO')))
})

test('the as-run record has what was listed, once', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 120_000
  await place(account, {
    startMs,
    endMs: startMs + 80_000,
    items: [
      videoItem(await aVideo(account, 32), 32, 'First'),
      podItem(16),
      videoItem(await aVideo(account, 16), 16, 'Second'),
    ],
  })
  await start(account)

  for (const atMs of [startMs + 20_000, startMs + 21_000, startMs + 650_000, startMs + 1_400_000]) {
    api.nowMs = atMs
    await sweep()
  }

  const { rows } = await sql<{ type: string; title: string; seconds: number; gap: number }>`
    select type, title, round((end_ticks - start_ticks) / 90000.0, 1)::float as seconds,
           (start_ticks - lag(end_ticks) over (order by start_ticks))::int as gap
      from as_run_entries where linear_channel_id = ${account.channelId} order by start_ticks`.execute(
    account.db,
  )
  assert.deepEqual(
    rows
      .filter(({ type }) => type === 'VIDEO' || type === 'AD_POD')
      .map(({ type, title, seconds }) => `${type} ${title} ${seconds}`),
    ['VIDEO First 32', 'AD_POD  16', 'VIDEO Second 16'],
  )
  assert.ok(rows.slice(1).every(({ gap }) => gap === 0))
})

test('a video that is committed is not deleted; one that is scheduled beyond that may be, and its time is filled', async () => {
  const account = await anAccount()
  const [near, far] = [await aVideo(account, 64), await aVideo(account, 64)]
  const nearMs = api.nowMs + HOUR_MS
  const farMs = api.nowMs + 40 * HOUR_MS
  await start(account)
  await place(account, { startMs: nearMs, endMs: nearMs + 64_000, items: [videoItem(near, 64)] })
  await place(account, { startMs: farMs, endMs: farMs + 64_000, items: [videoItem(far, 64)] })
  await sweep()

  assertProblem(await account.admin.delete(`/api/2.1/videos/${near.videoId}`), 409, 'record.in_use')
  assert.equal((await account.admin.delete(`/api/2.1/videos/${far.videoId}`)).statusCode, 204)
  api.nowMs += 20 * HOUR_MS
  await sweep()

  assert.ok(shownBetween(account, farMs + 2_000, farMs + 60_000).every((line) => line.includes('TIME_FILL')))
})

test('a video of a program within 25 hours is not deleted whatever the state of its channel; of a later one it is', async () => {
  const account = await anAccount()
  const [airing, near, far] = [
    await aVideo(account, 64),
    await aVideo(account, 64),
    await aVideo(account, 64),
  ]
  const deleteOf = (videoId: string) => account.admin.delete(`/api/2.1/videos/${videoId}`)
  const at = (startMs: number, video: typeof near) =>
    place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(video, 64)] })
  await at(api.nowMs + 120_000, airing)
  await at(api.nowMs + 25 * HOUR_MS - 1, near)
  await at(api.nowMs + 25 * HOUR_MS + 64_000, far)
  const untilDeleted = async () => {
    for (const { videoId } of [airing, near]) assertProblem(await deleteOf(videoId), 409, 'record.in_use')
  }

  assert.equal(await statusOf(account), 'OFFLINE')
  await untilDeleted()
  await account.admin.put(`${addressOf(account)}/start`)
  assert.equal(await statusOf(account), 'PENDING_ON_AIR')
  await untilDeleted()
  await sweep()
  assert.equal(await statusOf(account), 'ON_AIR')
  await untilDeleted()
  api.nowMs += 125_000
  await account.admin.put(`${addressOf(account)}/stop`)
  assert.equal(await statusOf(account), 'PENDING_OFFLINE')
  await untilDeleted()
  api.nowMs += 65_000

  assert.equal((await deleteOf(airing.videoId)).statusCode, 204)
  assertProblem(await deleteOf(far.videoId), 409, 'record.in_use')
})

test('a deleted video that was committed beyond 25 hours already is not shown: its time is filled', async () => {
  const account = await anAccount()
  const far = await aVideo(account, 64)
  const startMs = api.nowMs + 25.5 * HOUR_MS
  await place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(far, 64)] })
  await start(account)
  assert.ok(shownBetween(account, startMs + 2_000, startMs + 60_000).every((line) => line.includes('VIDEO')))

  assert.equal((await account.admin.delete(`/api/2.1/videos/${far.videoId}`)).statusCode, 204)
  await sweep()

  assert.ok(
    shownBetween(account, startMs + 2_000, startMs + 60_000).every((line) => line.includes('TIME_FILL')),
  )
})

test('a program of a deleted channel keeps no video', async () => {
  const account = await anAccount()
  const video = await aVideo(account, 64)
  const startMs = api.nowMs + HOUR_MS
  await place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(video, 64)] })

  assert.equal((await account.admin.delete(addressOf(account))).statusCode, 204)

  assert.equal((await account.admin.delete(`/api/2.1/videos/${video.videoId}`)).statusCode, 204)
})

test('a start that waits a minute for its slates opens an alert, until it is done or taken back', async () => {
  const [waiting, takenBack] = [await anAccount(false), await anAccount(false)]
  for (const account of [waiting, takenBack]) await start(account)

  api.nowMs += 59_000
  await sweep()
  assert.deepEqual(await openAlerts(waiting), [])
  api.nowMs += 6_000
  await sweep()
  for (const account of [waiting, takenBack])
    assert.deepEqual(await openAlerts(account), ['channel.start_waiting CRITICAL'])

  await takenBack.admin.put(`${addressOf(takenBack)}/stop`)
  await system.addSlates(waiting)
  api.nowMs += 5_000
  await sweep()

  assert.equal(await statusOf(waiting), 'ON_AIR')
  assert.deepEqual(await openAlerts(takenBack), [])
  assert.deepEqual(
    (await openAlerts(waiting)).filter((text) => text.startsWith('channel.')),
    [],
  )
})

test('alerts are opened for a schedule that ends, an item that is late, and fillers that are missing', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 2 * HOUR_MS
  const late = await aVideo(account, 64, false)
  await place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(late, 64, 'Late one')] })
  await start(account)
  const open = () => openAlerts(account)

  assert.deepEqual(await open(), ['schedule.ending CRITICAL', 'schedule.no_filler WARNING'])
  api.nowMs = startMs - 29 * 60_000
  await sweep()
  assert.deepEqual(await open(), [
    'item.late WARNING',
    'schedule.ending CRITICAL',
    'schedule.no_filler WARNING',
  ])
  api.nowMs = startMs - 4 * 60_000
  await sweep()
  assert.deepEqual(await open(), [
    'item.late CRITICAL',
    'schedule.ending CRITICAL',
    'schedule.no_filler WARNING',
  ])

  await system.makeReady(account, late, 64)
  const farMs = api.nowMs + 8 * 24 * HOUR_MS
  await place(account, { startMs: farMs, endMs: farMs + 64_000, items: [videoItem(late, 64)] })
  api.nowMs += 61_000
  await sweep()
  assert.deepEqual(await open(), ['schedule.no_filler WARNING'])
})

test('outputs that are added and another title are published to nodes', async () => {
  const account = await anAccount()
  await start(account)

  await account.admin.post(`${addressOf(account)}/outputs`, { distributor: 'harbourtv', window_ms: 60_000 })
  await account.admin.patch(addressOf(account), { title: 'Two' })
  await sweep()

  const { channel } = feed.stateOf(account.channelId)!
  assert.equal(channel.title, 'Two')
  assert.deepEqual(
    channel.outputs.map(({ distributor }) => distributor),
    ['direct', 'harbourtv'],
  )
})
