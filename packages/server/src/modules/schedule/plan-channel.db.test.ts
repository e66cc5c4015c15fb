import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ticksOf } from '@continuity/core/time/ticks'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import { endOfSpan } from '@continuity/core/timeline/span'
import { sql } from 'kysely'
import { loadLiveView } from '../live/read.ts'
import { planChannel } from './plan-channel.ts'
import { aScheduleApi, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const system = await aScheduleApi()
const { api, feed, anAccount, aVideo, place, sweep } = system

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

async function anAiringChannel(): Promise<ScheduleAccount> {
  const account = await anAccount()
  const answer = await account.admin.put(`/api/2.3/linear_channels/${account.channelId}/start`)
  assert.equal(answer.statusCode, 200, answer.body)
  await sweep()
  api.nowMs += MINUTE_MS
  await sweep()
  return account
}

async function aProgram(account: ScheduleAccount, startMs: number, seconds = 64): Promise<void> {
  const items = [videoItem(await aVideo(account, seconds), seconds)]
  await place(account, { startMs, endMs: startMs + seconds * 1_000, items })
}

/** What was published for the time between two times: types, and when each begins. */
function shownBetween({ channelId }: ScheduleAccount, fromMs: number, toMs: number): string[] {
  const timeline = unpackBetween(feed.stateOf(channelId)!.timeline, 0, Number.MAX_SAFE_INTEGER)!
  return timeline.runs
    .flatMap(({ spans }) => spans)
    .filter((span) => endOfSpan(span) > ticksOf(fromMs) && span.startTicks < ticksOf(toMs))
    .map(({ startTicks, airing }) => `${startTicks} ${airing.type}`)
}

const isShownAt = (account: ScheduleAccount, startMs: number): boolean =>
  shownBetween(account, startMs + 2_000, startMs + 60_000).every((line) => line.endsWith(' VIDEO'))

async function timelineOf({ db, channelId }: ScheduleAccount) {
  const { rows } = await sql<{ plannedUntilMs: number; changedMs: number | null; feedVersion: number }>`
    select reach_ms as "plannedUntilMs", changed_ms as "changedMs", feed_version as "feedVersion"
      from timelines where linear_channel_id = ${channelId}`.execute(db)
  return rows[0]!
}

const lateAlert = async ({ db, accountId }: ScheduleAccount): Promise<string | undefined> => {
  const { rows } = await sql<{ severity: string }>`
    select severity from alerts
     where account_id = ${accountId} and code = 'item.late' and closed_ms is null`.execute(db)
  return rows[0]?.severity
}

test('nothing nearer than 15 seconds is planned anew, whatever has changed', async () => {
  const account = await anAiringChannel()
  const nearMs = api.nowMs + 15_000
  const before = shownBetween(account, api.nowMs, nearMs)

  await aProgram(account, api.nowMs + 2_000, 320)
  await sweep()

  assert.deepEqual(shownBetween(account, api.nowMs, nearMs).slice(0, before.length), before)
  const [first] = shownBetween(account, api.nowMs, nearMs + 10_000).filter((line) => line.endsWith('VIDEO'))
  assert.ok(Number.parseInt(first!, 10) >= ticksOf(nearMs - 3_200), first)
})

test('a change from where the plan ends on changes nothing that is committed', async () => {
  const account = await anAiringChannel()
  const { plannedUntilMs, feedVersion } = await timelineOf(account)

  await aProgram(account, plannedUntilMs)
  await sweep()

  assert.equal((await timelineOf(account)).feedVersion, feedVersion)
})

test('a change that was planned is not planned a second time', async () => {
  const account = await anAiringChannel()
  await aProgram(account, api.nowMs + 40 * HOUR_MS)
  assert.notEqual((await timelineOf(account)).changedMs, null)

  await sweep()

  assert.equal((await timelineOf(account)).changedMs, null)
})

test('of several changes before a plan the earliest is planned too', async () => {
  const account = await anAiringChannel()
  const [earlyMs, lateMs] = [api.nowMs + HOUR_MS, api.nowMs + 2 * HOUR_MS]

  await aProgram(account, earlyMs)
  await aProgram(account, lateMs)
  await sweep()

  assert.deepEqual([isShownAt(account, earlyMs), isShownAt(account, lateMs)], [true, true])
})

test('a program that was placed before another slate was chosen is shown from its start, though slates change later', async () => {
  const account = await anAiringChannel()
  const startMs = api.nowMs + 40_000

  await aProgram(account, startMs, 320)
  await chooseSlates(account)
  await sweep()

  assert.ok(shownBetween(account, startMs + 2_000, startMs + 20_000).every((line) => line.endsWith(' VIDEO')))
})

test('another slate is shown from a minute ahead, and not only with the plan of the next hour', async () => {
  const account = await anAiringChannel()
  const before = pathsBetween(account, api.nowMs, api.nowMs + MINUTE_MS)

  const slate = await chooseSlates(account)
  await sweep()

  assert.deepEqual(pathsBetween(account, api.nowMs, api.nowMs + MINUTE_MS), before)
  const later = pathsBetween(account, api.nowMs + 2 * MINUTE_MS, api.nowMs + 3 * MINUTE_MS)
  assert.ok(later.length > 0 && later.every((path) => path.includes(slate)), later.join())
})

test('a channel that has a rescue slate of its own starts with it, and not with that of its account', async () => {
  const account = await anAccount()
  const slate = await chooseSlates(account)

  await account.admin.put(`/api/2.3/linear_channels/${account.channelId}/start`)
  await sweep()

  const [lead] = pathsBetween(account, 0, api.nowMs)
  assert.ok(lead?.includes(slate), lead)
})

test('a long gap is filled with the playlist of the channel, in its order, without an alert', async () => {
  const account = await anAccount()
  const fillers = [await aVideo(account, 320), await aVideo(account, 320)]
  const playlist = await account.admin.post<{ playlist_id: string }>('/api/2.1/playlists', {
    title: 'Fillers',
  })
  const { playlist_id } = playlist.json()
  const video_ids = fillers.map(({ videoId }) => videoId)
  const set = await account.admin.put(`/api/2.1/playlists/${playlist_id}/videos`, { video_ids })
  assert.equal(set.statusCode, 200, set.body)
  const address = `/api/2.3/linear_channels/${account.channelId}`
  const patched = await account.admin.patch(address, { filler_playlist_id: playlist_id })
  assert.equal(patched.statusCode, 200, patched.body)

  await account.admin.put(`${address}/start`)
  await sweep()

  const shown = pathsBetween(account, api.nowMs + 5_000, api.nowMs + HOUR_MS).map(
    (path) => path.split('/')[2],
  )
  const ids = fillers.map(({ assetId }) => assetId)
  assert.deepEqual(shown.slice(0, 4), [...ids, ...ids])
  const { rows } = await sql`
    select from alerts where account_id = ${account.accountId} and code = 'schedule.no_filler'`.execute(
    account.db,
  )
  assert.equal(rows.length, 0)
})

test('the alert for missing fillers covers all that is planned, also when a plan adds only its last hours', async () => {
  const account = await anAiringChannel()
  const startMs = api.nowMs + 20 * HOUR_MS
  const items = [videoItem(await aVideo(account, 36_000), 36_000)]
  await place(account, { startMs, endMs: startMs + 10 * HOUR_MS, items })

  await sweep()

  assert.ok(isShownAt(account, startMs))
  const { rows } = await sql<{ message: string }>`
    select message from alerts where account_id = ${account.accountId} and code = 'schedule.no_filler'
       and closed_ms is null`.execute(account.db)
  assert.match(rows[0]?.message ?? 'closed', / its rescue slate fills 20 hours of what is planned\./)
})

/** Gives a channel a slate of its own for everything, and returns its asset. */
async function chooseSlates(account: ScheduleAccount): Promise<string> {
  const { videoId, assetId } = await aVideo(account, 32)
  const answer = await account.admin.patch(`/api/2.3/linear_channels/${account.channelId}`, {
    rescue_slate_video_id: videoId,
    time_fill_video_id: videoId,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  return assetId
}

/** Paths of the media that was published for the time between two times. */
function pathsBetween({ channelId }: ScheduleAccount, fromMs: number, toMs: number): string[] {
  const timeline = unpackBetween(feed.stateOf(channelId)!.timeline, 0, Number.MAX_SAFE_INTEGER)!
  return timeline.runs
    .flatMap(({ spans }) => spans)
    .filter((span) => endOfSpan(span) > ticksOf(fromMs) && span.startTicks < ticksOf(toMs))
    .map(({ show }) => (show.kind === 'live' ? '' : show.media.path))
}

test('a program that is placed while a plan is being made is not overlooked', async () => {
  const account = await anAiringChannel()
  const [firstMs, secondMs] = [api.nowMs + HOUR_MS, api.nowMs + 2 * HOUR_MS]
  const items = [videoItem(await aVideo(account, 64), 64)]
  await aProgram(account, firstMs)
  const isWaiting = async (): Promise<void> => {
    const { rows } = await sql`select from pg_locks where not granted`.execute(account.db)
    if (rows.length === 0) await isWaiting()
  }
  let placing: Promise<unknown> | undefined
  // Live sources are loaded after the programs.
  const placeThenLoad: typeof loadLiveView = async (...args) => {
    placing ??= place(account, { startMs: secondMs, endMs: secondMs + 64_000, items })
    await Promise.race([placing, isWaiting()])
    return loadLiveView(...args)
  }

  await account.db
    .transaction()
    .execute((tx) => planChannel(tx, { clock: () => api.nowMs, loadLiveView: placeThenLoad }, account))
  await placing
  await sweep()

  assert.deepEqual([isShownAt(account, firstMs), isShownAt(account, secondMs)], [true, true])
})

test('a late item is a warning up to five minutes before its slot, and critical from then on', async () => {
  const accounts = [await anAccount(), await anAccount()]
  const startMs = api.nowMs + HOUR_MS
  for (const account of accounts) {
    const items = [videoItem(await aVideo(account, 64, false), 64)]
    await place(account, { startMs, endMs: startMs + 64_000, items })
  }
  api.nowMs = startMs - 30 * MINUTE_MS
  await sweep()

  api.nowMs = startMs - 5 * MINUTE_MS - 1
  const [warned, critical] = accounts as [ScheduleAccount, ScheduleAccount]
  await sql`update due_rows set due_ms = ${api.nowMs + 1} where account_id = ${critical.accountId}`.execute(
    critical.db,
  )
  await sweep()
  assert.equal(await lateAlert(warned), 'WARNING')
  api.nowMs = startMs - 5 * MINUTE_MS
  await sweep()

  assert.equal(await lateAlert(critical), 'CRITICAL')
})

test('the alert of a late item is closed when its slot is over', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + HOUR_MS
  const items = [videoItem(await aVideo(account, 64, false), 64)]
  await place(account, { startMs, endMs: startMs + 600_000, items })
  api.nowMs = startMs - 4 * MINUTE_MS
  await sweep()
  assert.equal(await lateAlert(account), 'CRITICAL')

  api.nowMs = startMs + 64_000
  await sweep()

  assert.equal(await lateAlert(account), undefined)
})
