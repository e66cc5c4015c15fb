import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ticksOf } from '@continuity/core/time/ticks'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { faultsOf } from '@continuity/core/timeline/timeline-faults'
import { windowAt } from '@continuity/core/timeline/window'
import { sql } from 'kysely'
import { publishUpdates } from './publish-feed.ts'
import { aScheduleApi, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const system = await aScheduleApi()
const { api, feed, anAccount, aVideo, place, sweep } = system

/** Every node receives a change within this time. */
const PROPAGATION_MS = 1_500
const HOUR_MS = 3_600_000
const addressOf = ({ channelId }: ScheduleAccount) => `/api/2.3/linear_channels/${channelId}`
const statusOf = async (account: ScheduleAccount) =>
  (await account.admin.get<{ status: string }>(addressOf(account))).json().status

/** Requests a start or stop, waits until nodes have received its effect, and returns the status in its response. */
async function request(account: ScheduleAccount, what: 'start' | 'stop', body?: object): Promise<string> {
  const answer = await account.admin.put<{ status: string }>(`${addressOf(account)}/${what}`, body)
  assert.equal(answer.statusCode, 200, answer.body)
  await publishUpdates(account.db, { clock: () => api.nowMs, publisher: feed }, account)
  return answer.json().status
}

/** A channel that has shown nothing but slate for a minute. */
async function anAiringChannel(): Promise<ScheduleAccount> {
  const account = await anAccount()
  await request(account, 'start')
  await sweep()
  api.nowMs += 60_000
  await sweep()
  return account
}

const timelineOf = ({ channelId }: ScheduleAccount) => {
  const timeline = unpackBetween(feed.stateOf(channelId)!.timeline, 0, Number.MAX_SAFE_INTEGER)!
  assert.deepEqual(faultsOf(timeline), [])
  return timeline
}

/** What a node that has received everything serves: nothing, a playlist, or one that has ended. */
function servedAt(account: ScheduleAccount, atMs: number): 'nothing' | 'playlist' | 'ended' {
  const window = windowAt(timelineOf(account), ticksOf(atMs), ticksOf(32_000), noLive)
  return window === undefined ? 'nothing' : window.isEnded ? 'ended' : 'playlist'
}

const offAirMsOf = async ({ db, channelId }: ScheduleAccount): Promise<number> => {
  const { rows } = await sql<{ at: number }>`
    select off_air_ms as at from linear_channels where linear_channel_id = ${channelId}`.execute(db)
  return rows[0]!.at
}

const startsOf = (account: ScheduleAccount): number =>
  timelineOf(account).runs.filter(({ shownFromTicks }) => shownFromTicks !== null).length

test('a start at any time before the end takes it back in its own response, and the playlist never ends', async () => {
  for (let afterMs = 0; afterMs <= 1_500; afterMs += 125) {
    const account = await anAiringChannel()
    assert.equal(await request(account, 'stop'), 'PENDING_OFFLINE')
    api.nowMs += afterMs

    assert.equal(await request(account, 'start'), 'ON_AIR', `${afterMs} ms after the stop`)

    assert.equal(startsOf(account), 1)
    for (let atMs = 0; atMs < 60_000; atMs += 100)
      assert.equal(servedAt(account, api.nowMs + atMs), 'playlist', `${atMs} ms after the start`)
    assert.equal(await statusOf(account), 'ON_AIR')
  }
})

test('a start in the last moment before the end still takes it back', async () => {
  const account = await anAiringChannel()
  await request(account, 'stop', { immediate: true })
  const endMs = await offAirMsOf(account)
  api.nowMs = endMs - 1

  assert.equal(await request(account, 'start'), 'ON_AIR')

  assert.equal(servedAt(account, endMs + PROPAGATION_MS), 'playlist')
})

test('a start at the end is a new start, and the playlist is marked as ended once every node has received it', async () => {
  const account = await anAiringChannel()
  await request(account, 'stop', { immediate: true })
  const endMs = await offAirMsOf(account)
  api.nowMs = endMs

  assert.equal(await request(account, 'start'), 'PENDING_ON_AIR')

  assert.equal(servedAt(account, endMs + PROPAGATION_MS - 1), 'playlist')
  assert.equal(servedAt(account, endMs + PROPAGATION_MS + 1), 'ended')
})

test('an end that is taken back is removed from the stored timeline too', async () => {
  const account = await anAiringChannel()
  await request(account, 'stop')
  const ended = await sql`select from runs where linear_channel_id = ${account.channelId} and is_end`.execute(
    account.db,
  )
  api.nowMs += 500

  await request(account, 'start')

  const left = await sql`select from runs where linear_channel_id = ${account.channelId} and is_end`.execute(
    account.db,
  )
  assert.deepEqual([ended.rows.length, left.rows.length], [1, 0])
})

test('a start after the end is PENDING_ON_AIR until its playlist is about to be served, and continues both sequences', async () => {
  const account = await anAiringChannel()
  await request(account, 'stop', { immediate: true })
  const endMs = await offAirMsOf(account)
  const last = timelineOf(account).runs.at(-1)!
  api.nowMs = endMs + 700
  assert.equal(await request(account, 'start'), 'PENDING_ON_AIR')

  let onAirMs: number | undefined
  for (; api.nowMs < endMs + 60_000 && onAirMs === undefined; api.nowMs += 500) {
    await sweep()
    if ((await statusOf(account)) === 'ON_AIR') onAirMs = api.nowMs
    else assert.notEqual(servedAt(account, api.nowMs + PROPAGATION_MS), 'nothing')
  }

  assert.ok(onAirMs !== undefined && onAirMs <= endMs + 32_000, `${onAirMs! - endMs}`)
  assert.equal(servedAt(account, onAirMs + PROPAGATION_MS), 'playlist')
  const again = timelineOf(account).runs.find(({ number }) => number > last.number)!
  const { segments, firstSequence } = last.spans.at(-1)!
  assert.equal(again.firstSequence, firstSequence + segments)
  assert.ok(again.discontinuity! > last.discontinuity!)
})

test('a stop that comes before a start has happened takes it back', async () => {
  const account = await anAiringChannel()
  await request(account, 'stop', { immediate: true })
  api.nowMs = (await offAirMsOf(account)) + 5_000
  await sweep()
  await request(account, 'start')
  await sweep()

  assert.equal(await request(account, 'stop'), 'OFFLINE')
  api.nowMs += 120_000
  await sweep()

  assert.equal(await statusOf(account), 'OFFLINE')
  assert.equal(servedAt(account, api.nowMs), 'nothing')
  assert.equal(startsOf(account), 1)
})

test('an immediate stop right before the end of a program leaves that end as it is', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 61_000
  const items = [videoItem(await aVideo(account, 64), 64)]
  await place(account, { startMs, endMs: startMs + 64_000, items })
  await request(account, 'start')
  await sweep()
  api.nowMs = startMs + 30_000
  await request(account, 'stop')
  const endMs = await offAirMsOf(account)
  api.nowMs = endMs - 400

  assert.equal(await request(account, 'stop', { immediate: true }), 'PENDING_OFFLINE')

  assert.equal(await offAirMsOf(account), endMs)
  api.nowMs = endMs
  assert.equal(await statusOf(account), 'OFFLINE')
})

test('a start takes back the end after a program, and the program after it is shown completely', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 61_000
  const [one, two] = [await aVideo(account, 64), await aVideo(account, 320)]
  await place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(one, 64)] })
  await place(account, {
    startMs: startMs + 64_000,
    endMs: startMs + 384_000,
    items: [
      { type: 'AD_POD', declaredMs: 16_000, title: '', videoId: null, assetId: null },
      videoItem(two, 300),
    ],
  })
  await request(account, 'start')
  await sweep()
  api.nowMs = startMs + 30_000
  await request(account, 'stop')
  api.nowMs = (await offAirMsOf(account)) - 20_000

  assert.equal(await request(account, 'start'), 'ON_AIR')
  await sweep()

  const shown = timelineOf(account)
    .runs.flatMap(({ spans }) => spans)
    .filter(({ startTicks }) => startTicks > ticksOf(startMs + 60_000))
  assert.deepEqual(
    shown.slice(0, 2).map(({ airing, segments }) => [airing.type, segments]),
    [
      ['AD_POD', 10],
      ['VIDEO', 95],
    ],
  )
  assert.equal(startsOf(account), 1)
})

test('a break that would begin at an end taken back at the last moment begins one segment later', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + 61_000
  const video = await aVideo(account, 64)
  await place(account, { startMs, endMs: startMs + 64_000, items: [videoItem(video, 64)] })
  const pod = { type: 'AD_POD', declaredMs: 16_000, title: '', videoId: null, assetId: null } as const
  await place(account, {
    startMs: startMs + 64_000,
    endMs: startMs + 64_000 + HOUR_MS,
    items: [pod, videoItem(video, 64)],
  })
  await request(account, 'start')
  await sweep()
  api.nowMs = startMs + 30_000
  await request(account, 'stop')
  const endMs = await offAirMsOf(account)
  api.nowMs = endMs - 300

  assert.equal(await request(account, 'start'), 'ON_AIR')

  const spans = timelineOf(account).runs.flatMap((run) => run.spans)
  const breakSpan = spans.find(({ airing }) => airing.type === 'AD_POD')!
  assert.ok(breakSpan.startTicks >= ticksOf(api.nowMs + PROPAGATION_MS))
  assert.ok(breakSpan.startTicks <= ticksOf(endMs + 3_200))
})

test('a concurrent start and stop end in one of the two, with status and timeline in agreement', async () => {
  for (let round = 0; round < 8; round += 1) {
    const account = await anAiringChannel()
    if (round % 2 === 0) await request(account, 'stop')

    await Promise.all([request(account, 'start'), request(account, 'stop', { immediate: true })])

    const status = await statusOf(account)
    assert.equal(timelineOf(account).runs.at(-1)!.isEnd, status === 'PENDING_OFFLINE')
    assert.ok(status === 'ON_AIR' || status === 'PENDING_OFFLINE', status)
  }
})

test('any sequence of starts and stops leaves a valid timeline, which ends exactly where the status states', async () => {
  const account = await anAiringChannel()
  const actions = [
    'stop',
    'start',
    'start',
    'stop',
    'stop',
    'start',
    'stop',
    'start',
    'stop',
    'stop',
    'start',
  ]
  const waits = [300, 900, 100, 1_400, 0, 1_450, 250, 40, 700, 1_900, 3_000, 1_600, 33_000]

  for (let step = 0; step < 120; step += 1) {
    const what = actions[step % actions.length] as 'start' | 'stop'
    await request(account, what, what === 'stop' ? { immediate: step % 3 === 0 } : undefined)
    api.nowMs += waits[step % waits.length]!
    if (step % 4 !== 0) await sweep()
    const status = await statusOf(account)
    const served = servedAt(account, api.nowMs + PROPAGATION_MS)
    const allowed: Readonly<Record<string, readonly string[]>> = {
      ON_AIR: ['playlist'],
      PENDING_OFFLINE: ['playlist', 'ended'],
      PENDING_ON_AIR: ['ended', 'nothing'],
      OFFLINE: ['ended', 'nothing'],
    }
    assert.ok(allowed[status]!.includes(served), `step ${step}: ${status}, ${served}`)
  }
})
