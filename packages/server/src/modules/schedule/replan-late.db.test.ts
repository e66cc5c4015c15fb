import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { printAt, someOutputs } from '@continuity/core/timeline/testing/print-at'
import { faultsOf } from '@continuity/core/timeline/timeline-faults'
import { sql } from 'kysely'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import { platformActor } from '../../platform/actor.ts'
import { findChannel } from '../channels/index.ts'
import { loadLiveView } from '../live/read.ts'
import { overrideChannel, rescueChannel, returnChannel } from './cut-channel.ts'
import { publishUpdates } from './publish-feed.ts'
import { recordAsRun } from './record-as-run.ts'
import { replanLate } from './replan-late.ts'
import { aScheduleApi, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const { api, feed, anAccount, aVideo, place, sweep } = await aScheduleApi()

const MINUTE_MS = 60_000
const SOURCE = '018f0000-0000-7000-8000-00000000000a'
const { logger } = aCapturedLog()
const deps = { clock: () => api.nowMs, loadLiveView }
const addressOf = ({ channelId }: ScheduleAccount) => `/api/2.3/linear_channels/${channelId}`

/** A channel that plays a program for an hour, two minutes in. */
async function onAir() {
  const account = await anAccount()
  const video = await aVideo(account, 3_600)
  const startMs = api.nowMs + MINUTE_MS
  await place(account, { startMs, endMs: startMs + 60 * MINUTE_MS, items: [videoItem(video, 3_600)] })
  await account.admin.put(`${addressOf(account)}/start`)
  await sweep()
  api.nowMs += 3 * MINUTE_MS
  await sweep()
  const actor = () => platformActor(account.accountId, api.nowMs)
  const cut = {
    live: () =>
      account.db.transaction().execute((tx) =>
        overrideChannel(
          tx,
          deps,
          actor(),
          account.channelId,
          {
            sourceId: SOURCE,
            title: 'Harbour live',
            description: '',
            lock: { statement: sql`select`, check: () => {} },
          },
          {},
        ),
      ),
    rescue: () =>
      account.db.transaction().execute((tx) => rescueChannel(tx, deps, actor(), account.channelId)),
    back: () => account.db.transaction().execute((tx) => returnChannel(tx, deps, actor(), account.channelId)),
  }
  return { account, videoPath: `assets/${account.accountId}/${video.assetId}/`, ...cut }
}

const stateOf = ({ channelId }: ScheduleAccount): ChannelState => feed.stateOf(channelId)!
const timelineOf = ({ timeline }: ChannelState) => unpackBetween(timeline, 0, Number.MAX_SAFE_INTEGER)!
const printed = (state: ChannelState, atMs: number) =>
  printAt(timelineOf(state), atMs, someOutputs[0], noLive) ?? ''

/** What the last segment listed at a time is from. */
const listedAt = (state: ChannelState, atMs: number) => printed(state, atMs).trim().split('\n').at(-1)!

/** Publishes after an outage, and checks that everything listed up to now is listed unchanged. */
async function recover(account: ScheduleAccount): Promise<ChannelState> {
  const before = stateOf(account)
  feed.isUp = true
  await sweep()
  const after = stateOf(account)
  assert.notEqual(after.version, before.version, 'nothing was published')
  assert.deepEqual(faultsOf(timelineOf(after)), [])
  for (let ms = -120_000; ms <= 1_200; ms += 400)
    assert.equal(printed(after, api.nowMs + ms), printed(before, api.nowMs + ms), `${ms} ms from now`)
  return after
}

const recordOf = async (account: ScheduleAccount) => {
  const { rows } = await sql<{ readonly type: string; readonly endTicks: number }>`
    select type, end_ticks as "endTicks" from as_run_entries
     where linear_channel_id = ${account.channelId} order by start_ticks`.execute(account.db)
  return rows
}

test('a cut that was published too late is moved: what viewers saw stays, and it is shown from the next boundary on', async () => {
  const { account, videoPath, rescue, back } = await onAir()
  feed.isUp = false
  const { onAirMs } = await rescue()
  const recorded = await recordOf(account)
  api.nowMs += MINUTE_MS
  await account.db.transaction().execute((tx) => recordAsRun(tx, deps, account))
  assert.deepEqual(await recordOf(account), recorded, 'nothing is recorded while nodes may not have it')

  const rescued = await recover(account)

  assert.ok(onAirMs < api.nowMs)
  assert.ok(listedAt(rescued, api.nowMs).includes(videoPath), 'the program is still listed')
  assert.ok(!listedAt(rescued, api.nowMs + 8_000).includes(videoPath), 'then the slate')
  const { rows } = await sql<{ readonly at: string }>`
    select data ->> 'on_air_at' as at from events where kind = 'override.started' order by number`.execute(
    account.db,
  )
  assert.equal(rows.length, 2)
  assert.ok(Date.parse(rows[1]!.at) > api.nowMs, 'followers receive the new time')

  api.nowMs += MINUTE_MS
  await sweep()
  feed.isUp = false
  await back()
  api.nowMs += MINUTE_MS
  const returned = await recover(account)

  assert.ok(!listedAt(returned, api.nowMs).includes(videoPath), 'the slate is still listed')
  assert.ok(listedAt(returned, api.nowMs + 8_000).includes(videoPath), 'then the program')
  const { overrideStatus, scheduledMs } = (await findChannel(
    account.db,
    account.accountId,
    account.channelId,
  ))!
  assert.equal(overrideStatus, 'NOT_STARTED')
  assert.ok(scheduledMs! > api.nowMs && scheduledMs! < api.nowMs + 8_000)

  api.nowMs += 2 * MINUTE_MS
  await account.db.transaction().execute((tx) => recordAsRun(tx, deps, account))
  const aired = await recordOf(account)
  assert.deepEqual(
    aired.map(({ type }) => type),
    ['SLATE', 'TIME_FILL', 'VIDEO', 'SLATE'],
  )
  const slateFromMs = aired[2]!.endTicks / 90
  assert.ok(Math.abs(slateFromMs - (Date.parse(rows[1]!.at) - 3_200)) < 3_300, 'recorded as it was shown')
})

test('an override that was published too late keeps its source, program and title', async () => {
  const { account, live } = await onAir()
  feed.isUp = false
  await live()
  api.nowMs += MINUTE_MS

  const after = await recover(account)

  const { show, airing } = timelineOf(after).runs.at(-1)!.spans.at(-1)!
  assert.ok(show.kind === 'live' && show.sourceId === SOURCE)
  assert.equal(airing.program?.title, 'Harbour live')
  const { rows } = await sql<{ readonly airings: unknown }>`
    select airings from runs where linear_channel_id = ${account.channelId} order by number desc limit 1`.execute(
    account.db,
  )
  assert.deepEqual(rows[0]!.airings, [[SOURCE, 'Harbour live']])
})

test('a stop that was published too late ends the channel at the next boundary', async () => {
  const { account, videoPath } = await onAir()
  feed.isUp = false
  feed.isUpKnown = true
  await account.admin.put(`${addressOf(account)}/stop`, { immediate: true })
  feed.isUpKnown = undefined
  api.nowMs += 3_000
  await sweep().catch(() => {})
  api.nowMs += MINUTE_MS

  const after = await recover(account)

  assert.ok(listedAt(after, api.nowMs).includes(videoPath))
  assert.match(printed(after, api.nowMs + 10_000), /#EXT-X-ENDLIST\s*$/)
})

test('a process that cannot replan publishes nothing that is late', async () => {
  const { account, rescue } = await onAir()
  feed.isUp = false
  await rescue()
  api.nowMs += MINUTE_MS
  feed.isUp = true
  const before = stateOf(account)

  const publishing = publishUpdates(account.db, { ...deps, publisher: feed }, account)

  await assert.rejects(publishing, /could not be published to the playout nodes/)
  assert.equal(stateOf(account), before)
})

test('an update that the feed already has is not planned again', async () => {
  const { account, rescue } = await onAir()
  await rescue()
  const { rows } = await sql<{ readonly version: number; readonly body: Buffer }>`
    select version, body from feed_steps where linear_channel_id = ${account.channelId}`.execute(account.db)
  await publishUpdates(account.db, { ...deps, publisher: feed }, account)
  const state = stateOf(account)
  // As after a lost acknowledgement.
  await sql`
    insert into feed_steps (account_id, linear_channel_id, version, body, created_ms)
    values (${account.accountId}, ${account.channelId}, ${rows[0]!.version}, ${rows[0]!.body}, 0)`.execute(
    account.db,
  )
  api.nowMs += MINUTE_MS
  const isReplanned = await replanLate(account.db, { ...deps, publisher: feed, logger }, account)

  assert.deepEqual([rows.length, isReplanned, stateOf(account)], [1, false, state])
})
