import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { printAt, someOutputs } from '@continuity/core/timeline/testing/print-at'
import { faultsOf } from '@continuity/core/timeline/timeline-faults'
import { sql } from 'kysely'
import { platformActor } from '../../platform/actor.ts'
import { findChannel } from '../channels/index.ts'
import { loadLiveView } from '../live/read.ts'
import { rescueChannel, returnChannel } from './cut-channel.ts'
import { beginEpoch, noteCompared, readDatabaseState } from './feed-epoch-store.ts'
import { publishSnapshot } from './publish-feed.ts'
import { rebaseTimeline } from './rebase-timeline.ts'
import { takeBackup } from './testing/a-backup.ts'
import { aScheduleApi, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const system = await aScheduleApi()
const { api, feed, anAccount, aVideo, place, sweep, ownerUrl, database } = system

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const addressOf = ({ channelId }: ScheduleAccount) => `/api/2.3/linear_channels/${channelId}`
const statusOf = async (account: ScheduleAccount) =>
  (await account.admin.get<{ status: string }>(addressOf(account))).json().status

async function request(account: ScheduleAccount, action: 'start' | 'stop', body?: object): Promise<void> {
  const answer = await account.admin.put(`${addressOf(account)}/${action}`, body)
  assert.equal(answer.statusCode, 200, answer.body)
  await sweep()
}

async function passTime(ms: number): Promise<void> {
  for (const endMs = api.nowMs + ms; api.nowMs < endMs; ) {
    api.nowMs = Math.min(endMs, api.nowMs + 10 * MINUTE_MS)
    await sweep()
  }
}

async function beginNewEpoch(): Promise<void> {
  const { epoch: expected } = await readDatabaseState(database.platform)
  await beginEpoch(database.platform, { expected, above: expected, reason: 'test' }, api.nowMs)
}

/** Rebases as a worker does for every channel; what was published is given, or lost. */
async function rebase(account: ScheduleAccount, published: ChannelState | undefined): Promise<void> {
  const deps = { clock: () => api.nowMs, loadLiveView, publisher: feed }
  await account.db.transaction().execute((tx) => rebaseTimeline(tx, deps, account, published))
  await publishSnapshot(account.db, deps, account)
}

const timelineOf = ({ timeline }: ChannelState) => unpackBetween(timeline, 0, Number.MAX_SAFE_INTEGER)!

const printed = (state: ChannelState, atMs: number) =>
  printAt(timelineOf(state), atMs, someOutputs[0], noLive)

/** The media sequence number of the first segment listed, and the discontinuity number of the last. */
function numbersIn(text: string) {
  const numberOf = (tag: string) => Number(new RegExp(`^#EXT-X-${tag}:(\\d+)$`, 'm').exec(text)![1])
  const first = numberOf('MEDIA-SEQUENCE')
  const joins = text.match(/^#EXT-X-DISCONTINUITY$/gm)?.length ?? 0
  return {
    first,
    next: first + text.match(/^#EXTINF/gm)!.length,
    discontinuity: numberOf('DISCONTINUITY-SEQUENCE') + joins,
  }
}

/** Whether everything that was listed before an instant is listed unchanged after it. */
function assertContinues(before: ChannelState, after: ChannelState, atMs: number): void {
  assert.deepEqual(faultsOf(timelineOf(after)), [])
  for (let ms = 0; ms < 1_500; ms += 100) assert.equal(printed(after, atMs + ms), printed(before, atMs + ms))
}

/** Which asset is listed at times of its own. */
const isListed = (state: ChannelState, assetId: string, atMs: number) =>
  printed(state, atMs)!.includes(assetId)

test('after a restore what was published stays, and then the restored schedule plays', async () => {
  const account = await anAccount()
  const [former, later] = [await aVideo(account, 600), await aVideo(account, 600)]
  const startMs = api.nowMs + HOUR_MS
  await request(account, 'start')
  await place(account, { startMs, endMs: startMs + 600_000, items: [videoItem(former, 600)] })
  await sweep()
  const backup = await takeBackup(ownerUrl, account)
  await place(account, { startMs, endMs: startMs + 600_000, items: [videoItem(later, 600)] })
  await account.admin.patch(addressOf(account), { title: 'Two' })
  await sweep()
  await passTime(startMs + 100_000 - api.nowMs)
  const published = feed.stateOf(account.channelId)!

  await backup.restore()
  await beginNewEpoch()
  await rebase(account, published)

  const restored = feed.stateOf(account.channelId)!
  assert.ok(restored.epoch > published.epoch)
  assert.equal(restored.channel.title, 'One')
  assertContinues(published, restored, api.nowMs)
  assert.ok(isListed(restored, later.assetId, api.nowMs))
  assert.ok(!isListed(restored, later.assetId, api.nowMs + 90_000))
  assert.ok(isListed(restored, former.assetId, api.nowMs + 90_000))
  const [before, after] = [published, restored].map((it) => numbersIn(printed(it, api.nowMs + 90_000)!))
  assert.ok(Math.abs(after!.next - before!.next) < 10 && after!.discontinuity > before!.discontinuity)
})

test('after a restore the last cut stays on air, whether it is in the backup or not', async () => {
  const account = await anAccount()
  const video = await aVideo(account, 3_600)
  const startMs = api.nowMs + MINUTE_MS
  await request(account, 'start')
  await place(account, { startMs, endMs: startMs + HOUR_MS, items: [videoItem(video, 3_600)] })
  await sweep()
  await passTime(3 * MINUTE_MS)
  const deps = { clock: () => api.nowMs, loadLiveView }
  const actor = () => platformActor(account.accountId, api.nowMs)
  const statusIn = async () =>
    (await findChannel(account.db, account.accountId, account.channelId))!.overrideStatus
  const restoreAfter = async (backup: { restore(): Promise<unknown> }) => {
    await sweep()
    await passTime(MINUTE_MS)
    const published = feed.stateOf(account.channelId)!
    await backup.restore()
    await beginNewEpoch()
    await rebase(account, published)
    const restored = feed.stateOf(account.channelId)!
    assertContinues(published, restored, api.nowMs)
    return restored
  }

  const beforeCut = await takeBackup(ownerUrl, account)
  await account.db.transaction().execute((tx) => rescueChannel(tx, deps, actor(), account.channelId))
  const rescued = await restoreAfter(beforeCut)

  assert.equal(await statusIn(), 'OVERRIDDEN')
  assert.ok(!isListed(rescued, video.assetId, api.nowMs + 2 * MINUTE_MS))

  await sweep()
  const beforeReturn = await takeBackup(ownerUrl, account)
  await account.db.transaction().execute((tx) => returnChannel(tx, deps, actor(), account.channelId))
  const returned = await restoreAfter(beforeReturn)

  assert.equal(await statusIn(), 'SCHEDULED')
  assert.ok(isListed(returned, video.assetId, api.nowMs + 2 * MINUTE_MS))
})

test('the record after a restore contains what was published since the backup, and nothing while that is unknown', async () => {
  const account = await anAccount()
  const [former, later] = [await aVideo(account, 600), await aVideo(account, 600)]
  const startMs = api.nowMs + HOUR_MS
  await request(account, 'start')
  const slot = { startMs, endMs: startMs + 600_000 }
  await place(account, { ...slot, items: [videoItem(former, 600, 'Former')] })
  await sweep()
  await place(account, {
    ...slot,
    startMs: slot.endMs,
    endMs: slot.endMs + 1,
    items: [videoItem(later, 600, 'Later')],
  })
  const backup = await takeBackup(ownerUrl, account)
  await place(account, { ...slot, items: [videoItem(later, 600, 'Later')] })
  await sweep()
  await passTime(startMs + 1_200_000 - api.nowMs)
  const aired = await recordOf(account)
  const published = feed.stateOf(account.channelId)!

  await backup.restore()
  await beginNewEpoch()
  await passTime(20 * MINUTE_MS)
  const waiting = await recordOf(account)
  await rebase(account, published)
  await passTime(20 * MINUTE_MS)

  assert.ok(aired.some((line) => line.includes(' VIDEO ')))
  assert.ok(!waiting.some((line) => line.includes(' VIDEO ')), waiting.join('\n'))
  const rebuilt = await recordOf(account)
  assert.deepEqual(rebuilt.slice(0, aired.length), aired)
  assert.ok(
    rebuilt.some((line) => line.includes('VIDEO Later')) && !rebuilt.some((line) => line.includes('Former')),
  )
})

async function recordOf({ db, accountId }: ScheduleAccount): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select start_ticks || ' ' || end_ticks || ' ' || type || ' ' || title as line from as_run_entries
     where account_id = ${accountId} order by start_ticks`.execute(db)
  return rows.map(({ line }) => line)
}

/** How many segments are recorded, also of what is still on the air. */
async function recordedOf({ db, accountId }: ScheduleAccount): Promise<number> {
  const { rows } = await sql<{ recorded: number }>`
    select recorded_sequence as recorded from timelines where account_id = ${accountId}`.execute(db)
  return rows[0]!.recorded
}

test('a channel that was stopped since the backup starts again and continues both sequences', async () => {
  const account = await anAccount()
  await request(account, 'start')
  const backup = await takeBackup(ownerUrl, account)
  await passTime(HOUR_MS)
  await request(account, 'stop', { immediate: true })
  await passTime(30 * MINUTE_MS)
  const published = feed.stateOf(account.channelId)!

  await backup.restore()
  await beginNewEpoch()
  await rebase(account, published)

  assert.equal(await statusOf(account), 'ON_AIR')
  const restored = feed.stateOf(account.channelId)!
  const { runs } = timelineOf(published)
  const last = runs.at(-1)!.spans.at(-1)!
  const after = numbersIn(printed(restored, api.nowMs + 2_000)!)
  assert.equal(after.first, last.firstSequence + last.segments)
  assert.ok(after.discontinuity > runs[0]!.discontinuity!)
})

test('a channel that was started since the backup goes off the air again', async () => {
  const account = await anAccount()
  await request(account, 'start')
  await passTime(HOUR_MS)
  await request(account, 'stop', { immediate: true })
  await passTime(HOUR_MS)
  const backup = await takeBackup(ownerUrl, account)
  await request(account, 'start')
  await passTime(MINUTE_MS)
  const published = feed.stateOf(account.channelId)!

  await backup.restore()
  await beginNewEpoch()
  await rebase(account, published)

  assert.equal(await statusOf(account), 'OFFLINE')
  const restored = feed.stateOf(account.channelId)!
  assertContinues(published, restored, api.nowMs)
  assert.match(printed(restored, api.nowMs + 10_000)!, /#EXT-X-ENDLIST/)
})

test('with the stream lost too, both sequences jump above all numbers that nodes can have listed, without a gap on the air', async () => {
  const account = await anAccount()
  await request(account, 'start')
  const backup = await takeBackup(ownerUrl, account)
  await passTime(50 * HOUR_MS)
  const published = feed.stateOf(account.channelId)!

  await backup.restore()
  await beginNewEpoch()
  await rebase(account, undefined)

  const restored = feed.stateOf(account.channelId)!
  for (let ms = 0; ms < 1_500; ms += 100)
    assert.equal(printed(restored, api.nowMs + ms), printed(published, api.nowMs + ms))
  const before = numbersIn(printed(published, api.nowMs + 300_000)!)
  const after = numbersIn(printed(restored, api.nowMs + 2_000)!)
  assert.ok(after.first >= before.next && after.discontinuity > before.discontinuity)
  assert.equal(await statusOf(account), 'ON_AIR')
  await passTime(HOUR_MS)
  const lines = await recordOf(account)
  const starts = lines.map((line) => Number(line.split(' ')[0]) / 90)
  // The hours after the backup are not in the record: what was aired is unknown.
  assert.ok(
    starts.every((ms) => ms > api.nowMs - 2 * HOUR_MS || ms < api.nowMs - 50 * HOUR_MS),
    lines.join('\n'),
  )
})

test('while a restored timeline is not in line, changes on air are answered 503 and nothing is published', async () => {
  const account = await anAccount()
  await request(account, 'start')
  await beginNewEpoch()
  const count = feed.updates.length

  const answers = [
    await account.admin.put(`${addressOf(account)}/stop`, { immediate: true }),
    await account.admin.patch(addressOf(account), { title: 'Two' }),
  ]
  await passTime(2 * HOUR_MS)

  for (const answer of answers) assert.equal(answer.statusCode, 503, answer.body)
  assert.deepEqual(feed.updates.slice(count), [])
  await rebase(account, feed.stateOf(account.channelId))
  await request(account, 'stop', { immediate: true })
  assert.equal(await statusOf(account), 'PENDING_OFFLINE')
})

test('with the stream lost, a channel that is off the air starts later with higher numbers, and is recorded', async () => {
  const account = await anAccount()
  await request(account, 'start')
  await passTime(2 * HOUR_MS)
  await request(account, 'stop', { immediate: true })
  await passTime(10 * MINUTE_MS)
  const backup = await takeBackup(ownerUrl, account)
  await request(account, 'start')
  await passTime(2 * HOUR_MS)
  const published = feed.stateOf(account.channelId)!

  await backup.restore()
  await beginNewEpoch()
  await rebase(account, undefined)
  await passTime(10 * MINUTE_MS)
  const before = (await recordOf(account)).length
  await request(account, 'start')
  const after = numbersIn(printed(feed.stateOf(account.channelId)!, api.nowMs + 2_000)!)
  await passTime(HOUR_MS)

  const used = numbersIn(printed(published, api.nowMs)!)
  assert.ok(after.first >= used.next - 3_000 && after.first > 4_500, `${after.first} ${used.next}`)
  assert.ok(after.discontinuity >= numbersIn(printed(published, api.nowMs - 2 * HOUR_MS)!).discontinuity)
  assert.ok((await recordOf(account)).length > before)

  // The numbers were skipped once: the next start continues those that the channel has used since.
  await request(account, 'stop', { immediate: true })
  await passTime(10 * MINUTE_MS)
  const last = feed.stateOf(account.channelId)!.timeline.runs.at(-1)!
  await request(account, 'start')
  const again = feed.stateOf(account.channelId)!.timeline.runs.find(({ number }) => number > last.number)
  assert.deepEqual([again?.isStart, again?.firstSequence], [true, last.endSequence])
})

test('with the stream lost and the slates not ready, nothing is published: nodes keep what they have', async () => {
  const account = await anAccount()
  await request(account, 'start')
  await passTime(HOUR_MS)
  const published = feed.stateOf(account.channelId)!
  await sql`
    update assets set state = 'QUEUED', package_path = null, duration_ticks = null, segment_count = null
     where account_id = ${account.accountId}`.execute(account.db)

  await beginNewEpoch()
  await assert.rejects(rebase(account, undefined), /slates/)

  assert.equal(feed.stateOf(account.channelId), published)
  await system.addSlates(account)
  await rebase(account, undefined)
  assert.ok(feed.stateOf(account.channelId)!.epoch > published.epoch)
})

test('a channel whose start was pending in the backup stays on the air', async () => {
  const account = await anAccount(false)
  await request(account, 'start')
  const backup = await takeBackup(ownerUrl, account)
  await system.addSlates(account)
  await passTime(HOUR_MS)
  assert.equal(await statusOf(account), 'ON_AIR')
  const published = feed.stateOf(account.channelId)!

  await backup.restore()
  await beginNewEpoch()
  await rebase(account, published)

  assert.equal(await statusOf(account), 'ON_AIR')
  const restored = feed.stateOf(account.channelId)!
  assertContinues(published, restored, api.nowMs)
  for (let ms = 0; ms < 120_000; ms += 5_000)
    assert.doesNotMatch(printed(restored, api.nowMs + ms)!, /ENDLIST/)
})

test('what a channel aired since a backup in which it was off the air is recorded', async () => {
  const account = await anAccount()
  await request(account, 'start')
  await request(account, 'stop', { immediate: true })
  await passTime(30 * MINUTE_MS)
  const backup = await takeBackup(ownerUrl, account)
  await request(account, 'start')
  await passTime(HOUR_MS)
  const published = feed.stateOf(account.channelId)!
  const [aired, recorded] = [await recordOf(account), await recordedOf(account)]

  await backup.restore()
  const restored = await recordedOf(account)
  await beginNewEpoch()
  await rebase(account, published)
  await passTime(HOUR_MS)

  assert.ok(recorded - restored > 1_000, `${recorded - restored} segments`)
  assert.ok((await recordedOf(account)) >= recorded)
  assert.deepEqual((await recordOf(account)).slice(0, aired.length), aired)
})

test('on a database that may have been restored nothing is committed or recorded before it was compared', async () => {
  const account = await anAccount()
  await request(account, 'start')
  await passTime(HOUR_MS)
  const { epoch, identity } = await readDatabaseState(database.platform)
  await noteCompared(database.platform, { epoch, identity: 'of another server' })
  const [count, recorded] = [feed.updates.length, await recordedOf(account)]

  const stopped = await account.admin.put(`${addressOf(account)}/stop`, { immediate: true })
  await passTime(3 * HOUR_MS)

  assert.equal(stopped.statusCode, 503, stopped.body)
  assert.deepEqual([feed.updates.length, await recordedOf(account)], [count, recorded])
  await noteCompared(database.platform, { epoch, identity })
  await passTime(HOUR_MS)
  assert.ok(feed.updates.length > count)
  assert.ok((await recordedOf(account)) > recorded + 5_000)
})
