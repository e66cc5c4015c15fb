import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { packRun } from '@continuity/core/timeline/packed'
import { aRun, loops, plays } from '@continuity/core/timeline/testing/a-run'
import { aSchedule, started } from '@continuity/core/timeline/testing/control-room'
import type { Beat } from '../../platform/feed/feed-follower.ts'
import { createChannelStore } from './channel-store.ts'
import { createClockWatch } from './clock-watch.ts'
import { createHorizon } from './horizon.ts'
import { watchReadiness } from './readiness.ts'
import { aChannel } from './testing/a-feed.ts'

/** Of a worker and a broker whose clocks are so far ahead of ours. */
const aBeat = (offsetMs: number): Beat => ({
  worker: 'a',
  nowMs: ORIGIN_MS + offsetMs,
  storedMs: ORIGIN_MS + offsetMs,
  heardMs: ORIGIN_MS,
  isFresh: true,
})

function aReadiness(t: TestContext, beats: readonly Beat[] = [], fromDisk = true) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const caughtUp = Promise.withResolvers<void>()
  const heard: { ms: number | undefined } = { ms: undefined }
  const clock = { nowMs: ORIGIN_MS }
  const feedIs = { complete: false }
  const watch = createClockWatch(() => ORIGIN_MS)
  for (const beat of beats) watch.heard(beat)
  const feed = { caughtUp: caughtUp.promise, lastHeardMs: () => heard.ms, ask: () => {} }
  const known = { fromDisk, isComplete: () => feedIs.complete }
  const readiness = watchReadiness(feed, watch, () => clock.nowMs, known)
  const unready = async () => {
    const told = await Promise.all(
      readiness.dependencies.map(({ name, ping }) =>
        ping().then(
          () => [],
          () => [name],
        ),
      ),
    )
    return told.flat()
  }
  return { readiness, unready, heard, clock, caughtUp, feedIs }
}

test('a node is not asked before the feed has told all, where the feed is there', async (t) => {
  const { unready, heard, caughtUp } = aReadiness(t)
  heard.ms = ORIGIN_MS
  t.mock.timers.tick(60_000)
  const before = await unready()

  caughtUp.resolve()
  await caughtUp.promise

  assert.deepEqual(before, ['channels'])
  assert.deepEqual(await unready(), [])
})

test('a node that hears nothing goes on after five seconds, and for good', async (t) => {
  const { readiness, unready, heard, clock } = aReadiness(t)
  t.mock.timers.tick(4_999)
  const before = await unready()

  t.mock.timers.tick(1)
  const after = await unready()
  heard.ms = ORIGIN_MS
  clock.nowMs += 10_001

  assert.deepEqual(before, ['channels', 'feed'])
  assert.deepEqual(after, ['feed'])
  assert.deepEqual(await unready(), ['feed'])
  assert.equal(readiness.dependencies.find(({ name }) => name === 'feed')?.isRequired, false)
})

test('a node that has received nothing at all stays unready, however long that takes', async (t) => {
  const { readiness, unready, heard, caughtUp, feedIs } = aReadiness(t, [], false)
  t.mock.timers.tick(3_600_000)
  const waited = await unready()
  // The feed has begun to send, and has not come to its end.
  heard.ms = ORIGIN_MS
  feedIs.complete = true
  const begun = await unready()
  caughtUp.resolve()
  await caughtUp.promise

  assert.deepEqual(waited, ['channels', 'feed'])
  assert.deepEqual(begun, ['channels'])
  assert.deepEqual(await unready(), [])
  assert.equal(readiness.isCaughtUp(), true)
})

test('a node with channels on its disk goes into service when the feed breaks off before all of it was received', async (t) => {
  const { unready, heard, clock } = aReadiness(t)
  heard.ms = ORIGIN_MS
  t.mock.timers.tick(60_000)
  clock.nowMs += 5_000
  const patient = await unready()
  clock.nowMs += 1

  assert.deepEqual(patient, ['channels'])
  assert.deepEqual(await unready(), [])
})

test('a node without a disk waits for a feed that is being filled anew, and one with channels does not', async (t) => {
  const { unready, heard, caughtUp, feedIs } = aReadiness(t, [], false)
  caughtUp.resolve()
  await caughtUp.promise
  const silent = await unready()
  heard.ms = ORIGIN_MS
  const filling = await unready()
  feedIs.complete = true

  assert.deepEqual([silent, filling], [['channels', 'feed'], ['channels']])
  assert.deepEqual(await unready(), [])
})

test('a clock that is further off than the guard allows is a fault, for as long as heartbeats show it', async (t) => {
  for (const [offsetMs, isFault] of [
    [250, false],
    [251, true],
    [-251, true],
  ] as const) {
    const { unready, clock } = aReadiness(t, [aBeat(offsetMs)])
    assert.equal((await unready()).includes('clock'), isFault, `${offsetMs}`)
    clock.nowMs += 10_001
    assert.equal((await unready()).includes('clock'), false, `${offsetMs}`)
    t.mock.timers.reset()
  }
})

test('the horizon is the nearest reach of those that are on the air', async () => {
  const store = createChannelStore({
    clock: () => ORIGIN_MS,
    onGap: () => {},
    onChange: (channelId) => horizon.note(channelId),
    onLateCut: () => {},
  })
  const horizon = createHorizon(store)
  const learn = (channelId: string, runs: readonly ReturnType<typeof packRun>[]) => {
    const channel = aChannel({ channelId })
    store.learn(channel, {
      kind: 'whole',
      epoch: 1,
      version: 1,
      channel,
      timeline: { version: runs.length, runs },
    })
  }
  const empty = horizon.nearestMs(ORIGIN_MS)

  learn('never', [])
  learn('day', started(aSchedule(86_400)).runs.map(packRun))
  learn('hour', started(aSchedule(3_600)).runs.map(packRun))
  learn('two hours', started(aSchedule(7_200)).runs.map(packRun))
  learn('ended', [
    packRun(aRun({ startSeconds: -400, shownFromSeconds: -400, isEnd: true }, plays('film', 100))),
  ])
  learn('later', [packRun(aRun({ startSeconds: 50, shownFromSeconds: 82, isEnd: true }, loops('lead', 20)))])
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)

  assert.equal(empty, undefined)
  assert.equal(horizon.nearestMs(ORIGIN_MS), 3_600_000)
  assert.equal(horizon.nearestMs(ORIGIN_MS + 60_000), 22_000)
})
