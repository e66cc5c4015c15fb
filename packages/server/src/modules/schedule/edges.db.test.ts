import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ticksOf } from '@continuity/core/time/ticks'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import { endOfSpan } from '@continuity/core/timeline/span'
import { sql } from 'kysely'
import { noteItemEnded } from './index.ts'
import { purgeRuns } from './jobs.ts'
import { publishUpdates } from './publish-feed.ts'
import { aScheduleApi, type ScheduleAccount, type TestVideo, videoItem } from './testing/a-schedule-api.ts'

const system = await aScheduleApi()
const { api, feed, database, anAccount, aVideo, place, sweep } = system

const HOUR_MS = 3_600_000
const addressOf = ({ channelId }: ScheduleAccount) => `/api/2.3/linear_channels/${channelId}`
const runsOf = ({ channelId }: ScheduleAccount) => feed.stateOf(channelId)!.timeline.runs
const statusOf = async (account: ScheduleAccount) =>
  (await account.admin.get<{ status: string }>(addressOf(account))).json().status

async function request(account: ScheduleAccount, what: 'start' | 'stop', body?: object): Promise<void> {
  const answer = await account.admin.put(`${addressOf(account)}/${what}`, body)
  assert.equal(answer.statusCode, 200, answer.body)
}

async function start(account: ScheduleAccount): Promise<void> {
  await request(account, 'start')
  await sweep()
}

async function passHours(count: number): Promise<void> {
  for (let hours = 0; hours < count; hours += 1) {
    api.nowMs += HOUR_MS
    await sweep()
    await purgeRuns(database.platform, api.nowMs)
  }
}

async function becomeReady(account: ScheduleAccount, video: TestVideo, seconds: number, programId: string) {
  await system.makeReady(account, video, seconds)
  const actor = { accountId: account.accountId, userId: null, requestId: null, nowMs: api.nowMs }
  await account.db.transaction().execute((tx) => noteItemEnded(tx, actor, programId))
  await sweep()
}

async function recordedOf({ db, channelId }: ScheduleAccount): Promise<number> {
  const { rows } = await sql<{ recorded: number }>`
    select recorded_sequence as recorded from timelines where linear_channel_id = ${channelId}`.execute(db)
  return rows[0]!.recorded
}

test('a channel that was off for days continues its numbers, and so does its record', async () => {
  const account = await anAccount()
  await start(account)
  await passHours(3)
  await request(account, 'stop', { immediate: true })
  await passHours(130)
  const last = runsOf(account).at(-1)!

  await start(account)
  await passHours(4)

  const again = runsOf(account).find(({ isStart, number }) => isStart && number > last.number)!
  assert.equal(again.firstSequence, last.endSequence)
  assert.ok((await recordedOf(account)) > last.endSequence)
})

test('runs that are not in the as-run record are not purged, however long workers are gone', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + HOUR_MS
  const video = await aVideo(account, 1_500)
  for (let at = 0; at < 10; at += 1) {
    const beginMs = startMs + at * 1_800_000
    await place(account, { startMs: beginMs, endMs: beginMs + 1_800_000, items: [videoItem(video, 1_500)] })
  }
  await start(account)

  api.nowMs += 5 * 24 * HOUR_MS
  await purgeRuns(database.platform, api.nowMs)
  for (let rounds = 0; rounds < 20; rounds += 1) {
    await sweep()
    api.nowMs += 1_000
  }

  const { rows } = await sql<{ gap: number | null }>`
    select (start_ticks - lag(end_ticks) over (order by start_ticks))::float as gap
      from as_run_entries where linear_channel_id = ${account.channelId}`.execute(account.db)
  assert.ok(rows.length > 20)
  assert.ok(rows.every(({ gap }) => gap === null || gap === 0))
})

test('a video that is ready long before is shown completely, also after one that is shorter than declared', async () => {
  const account = await anAccount()
  await start(account)
  const [one, two] = [await aVideo(account, 150), await aVideo(account, 100, false)]
  const startMs = api.nowMs + 2 * HOUR_MS
  const items = [videoItem(one, 200), videoItem(two, 100)]
  const programId = await place(account, { startMs, endMs: startMs + 400_000, items })
  await sweep()

  api.nowMs += HOUR_MS
  await becomeReady(account, two, 100, programId)

  const spans = unpackBetween(feed.stateOf(account.channelId)!.timeline, 0, Number.MAX_SAFE_INTEGER)!
    .runs.flatMap((run) => run.spans)
    .filter(
      (span) => endOfSpan(span) > ticksOf(startMs + 1_000) && span.startTicks < ticksOf(startMs + 240_000),
    )
  assert.deepEqual(
    spans.map(({ show, segments }) => [show.kind === 'asset' && show.firstSegment, segments]),
    [
      [0, 46],
      [0, 31],
    ],
  )
})

test('an update that is committed while another is being published is published too', async () => {
  const account = await anAccount()
  await start(account)
  await account.admin.patch(addressOf(account), { title: 'Two' })
  let count = 0
  const publisher: typeof feed = {
    ...feed,
    publishUpdate: async (id, update) => {
      count += 1
      if (count === 1) await account.admin.patch(addressOf(account), { title: 'Three' })
      return feed.publishUpdate(id, update)
    },
  }

  api.nowMs += 1
  await publishUpdates(account.db, { clock: () => api.nowMs, publisher }, account)

  const { rows } = await sql`select from feed_steps where linear_channel_id = ${account.channelId}`.execute(
    account.db,
  )
  assert.deepEqual([count, rows.length], [2, 0])
})

test('a channel that goes off after a program ends there, also when it is planned anew before', async () => {
  for (const besideMs of [0, 400, 700, 1_100]) {
    const account = await anAccount()
    const startMs = api.nowMs + 100_000
    const endMs = startMs + 600_000 + besideMs
    const late = await aVideo(account, 200, false)
    const items = [videoItem(await aVideo(account, 300), 300), videoItem(late, 200)]
    const programId = await place(account, { startMs, endMs, items })
    const next = [videoItem(await aVideo(account, 3_600), 3_600)]
    await place(account, { startMs: endMs, endMs: endMs + HOUR_MS, items: next })
    await start(account)
    api.nowMs = startMs + 60_000
    await request(account, 'stop')

    await becomeReady(account, late, 201.3, programId)

    const last = runsOf(account).at(-1)!
    assert.ok(last.isEnd)
    assert.ok(Math.abs(last.endTicks / 90 - endMs) <= 1_600, `${last.endTicks / 90 - endMs} ms off`)
    api.nowMs = Math.ceil(last.endTicks / 90)
    assert.equal(await statusOf(account), 'OFFLINE')
  }
})

test('a stop after a start that has not happened yet ends the channel where it was to end before', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 100_000
  const items = [videoItem(await aVideo(account, 3_600), 3_600)]
  await place(account, { startMs, endMs: startMs + HOUR_MS, items })
  await start(account)
  api.nowMs = startMs + 60_000

  for (const what of ['stop', 'start', 'stop'] as const) await request(account, what)
  await sweep()

  assert.equal(await statusOf(account), 'PENDING_OFFLINE')
  assert.ok(Math.abs(runsOf(account).at(-1)!.endTicks / 90 - startMs - HOUR_MS) <= 1_600)
  await request(account, 'stop', { immediate: true })
  await sweep()
  assert.ok(runsOf(account).at(-1)!.endTicks / 90 < api.nowMs + 10_000)
})

test('a start right after a boundary of runs takes the end back without a pause', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 100_000
  const late = await aVideo(account, 1_600, false)
  const items = [videoItem(await aVideo(account, 1_600), 1_600), videoItem(late, 1_600)]
  const programId = await place(account, { startMs, endMs: startMs + 3_300_000, items })
  await start(account)
  api.nowMs = startMs + 60_000
  await becomeReady(account, late, 1_600, programId)
  await request(account, 'stop')
  api.nowMs = Math.ceil(runsOf(account).at(-1)!.startTicks / 90) + 500

  await start(account)

  assert.equal(runsOf(account).filter(({ isStart }) => isStart).length, 1)
})

test('what a channel aired is recorded to the end, and its alerts are closed, also when it is deleted right after', async () => {
  const account = await anAccount()
  await start(account)
  api.nowMs += 561_000
  await request(account, 'stop', { immediate: true })
  await sweep()
  const aired = runsOf(account).at(-1)!.endSequence
  api.nowMs += 10_000

  assert.equal((await account.admin.delete(addressOf(account))).statusCode, 204)
  api.nowMs += HOUR_MS
  await sweep()

  assert.equal(await recordedOf(account), aired)
  const { rows } = await sql`
    select from alerts where subject_id = ${account.channelId} and closed_ms is null`.execute(account.db)
  assert.equal(rows.length, 0)
})

test('a channel that was long on the air without a worker is recorded to its end, also when it is off by then', async () => {
  const account = await anAccount()
  await start(account)
  api.nowMs += 20 * HOUR_MS
  await request(account, 'stop', { immediate: true })
  await publishUpdates(account.db, { clock: () => api.nowMs, publisher: feed }, account)
  api.nowMs += 60_000

  for (let rounds = 0; rounds < 5; rounds += 1) {
    await sweep()
    api.nowMs += 1_000
  }

  assert.equal(await statusOf(account), 'OFFLINE')
  assert.equal(await recordedOf(account), runsOf(account).at(-1)!.endSequence)
})

test('an end that is due too early does not take a channel off the air', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 100_000
  const items = [videoItem(await aVideo(account, 600), 600)]
  await place(account, { startMs, endMs: startMs + 600_000, items })
  await start(account)
  api.nowMs = startMs + 60_000
  await request(account, 'stop')
  await sql`
    update due_rows set due_ms = ${api.nowMs} where kind = 'channel_off' and subject_id = ${account.channelId}`.execute(
    account.db,
  )

  await sweep()

  assert.equal(await statusOf(account), 'PENDING_OFFLINE')
})

test('a deleted channel is published without outputs', async () => {
  const account = await anAccount()
  await start(account)
  await request(account, 'stop', { immediate: true })
  api.nowMs += HOUR_MS
  await sweep()
  assert.notDeepEqual(feed.stateOf(account.channelId)!.channel.outputs, [])

  assert.equal((await account.admin.delete(addressOf(account))).statusCode, 204)
  await sweep()

  assert.deepEqual(feed.stateOf(account.channelId)!.channel.outputs, [])
})

test('a start after an end that no worker has processed closes the earlier alerts', async () => {
  const account = await anAccount()
  await start(account)
  const openAlerts = async () => {
    const { rows } = await sql`
      select from alerts where account_id = ${account.accountId} and closed_ms is null`.execute(account.db)
    return rows.length
  }
  assert.ok((await openAlerts()) > 0)
  await request(account, 'stop', { immediate: true })
  api.nowMs += HOUR_MS

  await request(account, 'start')

  assert.equal(await statusOf(account), 'PENDING_ON_AIR')
  assert.equal(await openAlerts(), 0)
})

test('a program is removed by one that is placed over it, and neither is by one that comes too late', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + HOUR_MS
  const items = [videoItem(await aVideo(account, 64), 64)]
  await place(account, { startMs, endMs: startMs + HOUR_MS, items })

  await place(account, { startMs: startMs + 600_000, endMs: startMs + HOUR_MS, items, sourceId: 'south' })
  api.nowMs = startMs + HOUR_MS
  await assert.rejects(place(account, { startMs, endMs: startMs + HOUR_MS, items }), /too_late/)

  const { rows } = await sql<{ source: string }>`
    select source_id as source from programs
     where linear_channel_id = ${account.channelId} and removed_ms is null`.execute(account.db)
  assert.deepEqual(rows, [{ source: 'south' }])
})

test('concurrent starts, stops and plans of one channel never deadlock', async () => {
  const account = await anAccount()
  await start(account)
  const video = await aVideo(account, 64)

  for (let round = 0; round < 10; round += 1) {
    api.nowMs += 1_000
    const startMs = api.nowMs + HOUR_MS + round * 64_000
    const work = [
      sweep(),
      place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(video, 64)] }),
      account.admin.patch(addressOf(account), { time_fill_video_id: round % 2 === 0 ? video.videoId : null }),
      sweep(),
    ]
    const results = await Promise.all(work)
    assert.equal((results[2] as { statusCode: number }).statusCode, 200)
  }
})
