import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { packRun } from '@continuity/core/timeline/codec/packed'
import { aRun, loops, plays } from '@continuity/core/timeline/testing/a-run'
import { aSchedule, started } from '@continuity/core/timeline/testing/control-room'
import type { Heartbeat } from '../../platform/feed/feed-follower.ts'
import { createChannelStore } from './channel-store.ts'
import { createClockWatch } from './clock-watch.ts'
import { createHorizon } from './horizon.ts'
import { watchReadiness } from './readiness.ts'
import { aChannel } from './testing/a-feed.ts'

/** A heartbeat of a worker and a broker whose clocks are this far ahead. */
const aHeartbeat = (offsetMs: number): Heartbeat => ({
  worker: 'a',
  nowMs: ORIGIN_MS + offsetMs,
  storedMs: ORIGIN_MS + offsetMs,
  receivedMs: ORIGIN_MS,
  isFresh: true,
})

function aReadiness(t: TestContext, heartbeats: readonly Heartbeat[] = [], fromDisk = true) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const caughtUp = Promise.withResolvers<void>()
  const received: { ms: number | undefined } = { ms: undefined }
  const clock = { nowMs: ORIGIN_MS }
  const feedIs = { complete: false }
  const watch = createClockWatch(() => ORIGIN_MS)
  for (const heartbeat of heartbeats) watch.receive(heartbeat)
  const feed = { caughtUp: caughtUp.promise, lastReceivedMs: () => received.ms, requestSnapshot: () => {} }
  const known = { fromDisk, isComplete: () => feedIs.complete }
  const readiness = watchReadiness(feed, watch, () => clock.nowMs, known)
  const unready = async () => {
    const names = await Promise.all(
      readiness.dependencies.map(({ name, ping }) =>
        ping().then(
          () => [],
          () => [name],
        ),
      ),
    )
    return names.flat()
  }
  return { readiness, unready, received, clock, caughtUp, feedIs }
}

test('with a feed, a node is unready until it has received all channels', async (t) => {
  const { unready, received, caughtUp } = aReadiness(t)
  received.ms = ORIGIN_MS
  t.mock.timers.tick(60_000)
  const before = await unready()

  caughtUp.resolve()
  await caughtUp.promise

  assert.deepEqual(before, ['channels'])
  assert.deepEqual(await unready(), [])
})

test('without a feed, a node becomes ready after five seconds, and stays ready', async (t) => {
  const { readiness, unready, received, clock } = aReadiness(t)
  t.mock.timers.tick(4_999)
  const before = await unready()

  t.mock.timers.tick(1)
  const after = await unready()
  received.ms = ORIGIN_MS
  clock.nowMs += 10_001

  assert.deepEqual(before, ['channels', 'feed'])
  assert.deepEqual(after, ['feed'])
  assert.deepEqual(await unready(), ['feed'])
  assert.equal(readiness.dependencies.find(({ name }) => name === 'feed')?.isRequired, false)
})

test('a node without any channel stays unready until the feed is complete', async (t) => {
  const { readiness, unready, received, caughtUp, feedIs } = aReadiness(t, [], false)
  t.mock.timers.tick(3_600_000)
  const waited = await unready()
  // The feed has begun to send, but is not caught up.
  received.ms = ORIGIN_MS
  feedIs.complete = true
  const begun = await unready()
  caughtUp.resolve()
  await caughtUp.promise

  assert.deepEqual(waited, ['channels', 'feed'])
  assert.deepEqual(begun, ['channels'])
  assert.deepEqual(await unready(), [])
  assert.equal(readiness.isCaughtUp(), true)
})

test('a node with channels on disk becomes ready when the feed breaks off before it is caught up', async (t) => {
  const { unready, received, clock } = aReadiness(t)
  received.ms = ORIGIN_MS
  t.mock.timers.tick(60_000)
  clock.nowMs += 5_000
  const patient = await unready()
  clock.nowMs += 1

  assert.deepEqual(patient, ['channels'])
  assert.deepEqual(await unready(), [])
})

test('a node without channels on disk waits for the completeness marker of the feed', async (t) => {
  const { unready, received, caughtUp, feedIs } = aReadiness(t, [], false)
  caughtUp.resolve()
  await caughtUp.promise
  const silent = await unready()
  received.ms = ORIGIN_MS
  const filling = await unready()
  feedIs.complete = true

  assert.deepEqual([silent, filling], [['channels', 'feed'], ['channels']])
  assert.deepEqual(await unready(), [])
})

test('a clock beyond the tolerance makes a node unready while recent heartbeats show it', async (t) => {
  for (const [offsetMs, isFault] of [
    [250, false],
    [251, true],
    [-251, true],
  ] as const) {
    const { unready, clock } = aReadiness(t, [aHeartbeat(offsetMs)])
    assert.equal((await unready()).includes('clock'), isFault, `${offsetMs}`)
    clock.nowMs += 10_001
    assert.equal((await unready()).includes('clock'), false, `${offsetMs}`)
    t.mock.timers.reset()
  }
})

test('the horizon is the earliest end of a timeline on air', async () => {
  const store = createChannelStore({
    clock: () => ORIGIN_MS,
    onGap: () => {},
    onChange: (channelId) => horizon.note(channelId),
    onLateCut: () => {},
  })
  const horizon = createHorizon(store)
  const apply = (channelId: string, runs: readonly ReturnType<typeof packRun>[]) => {
    const channel = aChannel({ channelId })
    store.apply(channel, {
      kind: 'whole',
      epoch: 1,
      version: 1,
      channel,
      timeline: { version: runs.length, runs },
    })
  }
  const empty = horizon.nearestMs(ORIGIN_MS)

  apply('never', [])
  apply('day', started(aSchedule(86_400)).runs.map(packRun))
  apply('hour', started(aSchedule(3_600)).runs.map(packRun))
  apply('two hours', started(aSchedule(7_200)).runs.map(packRun))
  apply('ended', [
    packRun(aRun({ startSeconds: -400, shownFromSeconds: -400, isEnd: true }, plays('film', 100))),
  ])
  apply('later', [packRun(aRun({ startSeconds: 50, shownFromSeconds: 82, isEnd: true }, loops('lead', 20)))])
  for (let i = 0; i < 3; i += 1) await new Promise(setImmediate)

  assert.equal(empty, undefined)
  assert.equal(horizon.nearestMs(ORIGIN_MS), 3_600_000)
  assert.equal(horizon.nearestMs(ORIGIN_MS + 60_000), 22_000)
})
