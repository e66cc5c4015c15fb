import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import type { Bus } from '../bus/bus.ts'
import { aBus } from '../testing/a-bus.ts'
import { openFeedPublisher } from './feed-publisher.ts'
import { manageStreams, SNAPSHOT_EVERY, UPDATES_KEPT } from './feed-stream.ts'
import { FEED_STREAM, updateSubject } from './feed-subjects.ts'
import {
  aChannel,
  aConnectedBus,
  aDelta,
  aFollower,
  aPublisher,
  aSnapshot,
  CLOCK_MS,
  someNats,
  until,
} from './testing/a-feed-system.ts'

const north = aChannel('north')
const south = aChannel('south')

test('updates arrive in the order of publication, also those from before the subscription', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const publish = async (first: number, last: number) => {
    for (let version = first; version <= last; version += 1) {
      await publisher.publishUpdate(north, aDelta(version))
      await publisher.publishUpdate(south, aDelta(version))
    }
  }
  await publish(1, UPDATES_KEPT)

  const follower = await aFollower(t, url)
  await follower.caughtUp
  const early = [...follower.updates]
  await publish(UPDATES_KEPT + 1, 60)
  await until(() => follower.updates.length === 120)

  const published = Array.from({ length: 60 }, (_, at) => [
    `north change ${at + 1}`,
    `south change ${at + 1}`,
  ]).flat()
  assert.deepEqual(early, published.slice(0, 2 * UPDATES_KEPT))
  assert.deepEqual(follower.updates, published)
  assert.ok(follower.isCaughtUp())
  assert.equal(follower.lastReceivedMs(), CLOCK_MS)
})

test('a delta published twice is stored once, and a snapshot as often as it is published', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishHeartbeat(1)
  const follower = await aFollower(t, url)
  await follower.caughtUp

  for (const update of [aSnapshot(1), aDelta(2), aDelta(2), aSnapshot(2), aSnapshot(2)]) {
    await publisher.publishUpdate(north, update)
  }
  await until(() => follower.updates.length >= 4)

  assert.deepEqual(follower.updates, ['north whole 1', 'north change 2', 'north whole 2', 'north whole 2'])
})

test('the last updates of each channel are kept', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishUpdate(south, aSnapshot(1, 'south'))
  for (let version = 1; version <= 40; version += 1) {
    await publisher.publishUpdate(
      north,
      version % SNAPSHOT_EVERY === 0 ? aSnapshot(version) : aDelta(version),
    )
  }

  const follower = await aFollower(t, url)
  await follower.caughtUp

  const [first, ...rest] = follower.updates
  assert.equal(first, 'south whole 1')
  assert.equal(rest.length, UPDATES_KEPT)
  assert.deepEqual(rest.slice(-1), ['north whole 40'])
})

test('a follower that is behind misses nothing while other channels are published', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const channels = Array.from({ length: 200 }, (_, at) => aChannel(`channel-${at}`))
  const large = aSnapshot(1, 'x'.repeat(20_000))
  await Promise.all(channels.map((id) => publisher.publishUpdate(id, large)))

  const follower = await aFollower(t, url)
  while (!follower.isCaughtUp()) {
    await publisher.publishHeartbeat(1)
    await publisher.publishUpdate(north, aSnapshot(1))
  }

  assert.deepEqual(new Set(follower.updates).size, 201)
})

test('a heartbeat has the time of its worker and of the broker, and states whether it is new or was stored before', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishHeartbeat(7)
  const follower = await aFollower(t, url)
  await follower.caughtUp

  const beforeMs = Date.now()
  await publisher.publishHeartbeat(8, 'worker-1')
  await until(() => follower.heartbeats.length === 2)

  const [kept, fresh] = follower.heartbeats.map((beat) => ({ ...beat, storedMs: 0 }))
  assert.deepEqual(kept, { nowMs: 7, worker: undefined, storedMs: 0, receivedMs: CLOCK_MS, isFresh: false })
  assert.deepEqual(fresh, { nowMs: 8, worker: 'worker-1', storedMs: 0, receivedMs: CLOCK_MS, isFresh: true })
  const { storedMs } = follower.heartbeats[1]!
  // The broker runs on this machine, and rounds down.
  assert.ok(storedMs >= beforeMs - 1 && storedMs <= Date.now(), `${storedMs - beforeMs} ms`)
  assert.equal(follower.lastHeartbeat(), follower.heartbeats[1])
})

test('a snapshot request reaches one of two workers, and is not stored', async (t) => {
  const { url } = await someNats(t)
  const workers = [await aPublisher(t, url), await aPublisher(t, url)]
  await workers[0]!.publishUpdate(north, aSnapshot(1))
  const requests: unknown[] = []
  for (const worker of workers) worker.onSnapshotRequest((id) => requests.push(id))
  const follower = await aFollower(t, url)
  await Promise.all(workers.map(({ bus }) => bus.ping()))

  for (let times = 0; times < 10; times += 1) follower.requestSnapshot(north)
  await until(() => requests.length >= 10)
  await Promise.all(workers.map(({ bus }) => bus.ping()))

  const { state } = await (await manageStreams(workers[0]!.bus.connection()!)).streams.info(FEED_STREAM)
  assert.deepEqual(
    requests,
    Array.from({ length: 10 }, () => north),
  )
  assert.equal(state.messages, 1)
})

test('a stream gets a marker once it has been filled, and a marker of another stream is ignored', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const { streams } = await manageStreams(publisher.bus.connection()!)

  const atFirst = await publisher.findMarker()
  const created = await publisher.findStream()
  await streams.delete(FEED_STREAM)
  await publisher.publishMarker(created, 1)
  const ofOther = await publisher.findMarker()
  await publisher.publishMarker(await publisher.findStream(), 1)

  assert.equal(atFirst, undefined)
  assert.equal(ofOther, undefined)
  assert.equal((await publisher.findMarker())?.epoch, 1)
})

test('an existing stream with other settings gets those of this version, and keeps its messages', async (t) => {
  const { url } = await someNats(t)
  const bus = await aConnectedBus(t, url)
  const { streams } = await manageStreams(bus.connection()!)
  await streams.add({ name: FEED_STREAM, subjects: ['feed.channel.*.*'], max_msg_size: 1_000 })
  bus.connection()!.publish(updateSubject(north), 'something else')

  const publisher = await aPublisher(t, url)
  await publisher.publishHeartbeat(1)

  const { config, state } = await streams.info(FEED_STREAM)
  assert.equal(config.max_msg_size, 8_388_608)
  assert.equal(config.max_msgs_per_subject, UPDATES_KEPT)
  assert.equal(state.messages, 2)
})

test('a message that fails to decode is counted, logged once and skipped', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishUpdate(north, aSnapshot(1))
  const follower = await aFollower(t, url)
  await follower.caughtUp
  const nc = publisher.bus.connection()!
  nc.publish(updateSubject(north), 'no update')
  nc.publish('feed.beat', 'no beat')
  nc.publish('feed.beat', 'null')

  await publisher.publishUpdate(north, aSnapshot(2))
  await until(() => follower.updates.length === 2)

  assert.match(follower.metrics(), /feed_corrupt_total 3\n/)
  assert.equal(follower.log.lines().filter(({ level }) => level === 'error').length, 1)
})

test('a slow or failed update delays the next one, and nothing is lost', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  const follower = await aFollower(t, url, async (update) => {
    if (update === 'north whole 1') throw new Error('the disk is full')
    if (update === 'north change 2') await isFree
  })
  for (const update of [aSnapshot(1), aDelta(2), aDelta(3)]) await publisher.publishUpdate(north, update)
  await until(() => follower.updates.length === 2)
  await publisher.publishHeartbeat(1)

  const heartbeatsWhileSlow = follower.heartbeats.length
  free()
  await until(() => follower.heartbeats.length === 1)

  assert.equal(heartbeatsWhileSlow, 0)
  assert.deepEqual(follower.updates, ['north whole 1', 'north change 2', 'north change 3'])
  assert.match(follower.log.text(), /the disk is full/)
})

test('while an update is slow the others wait at the server, not in memory', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const large = aSnapshot(1, 'x'.repeat(500_000))
  const channels = Array.from({ length: 40 }, (_, at) => aChannel(`channel-${at}`))
  for (const id of channels) await publisher.publishUpdate(id, large)
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  const follower = await aFollower(t, url, () => isFree)
  await until(() => follower.updates.length === 1)

  const bufferedBytes = await steadyBytes(follower.bus)
  free()
  await follower.caughtUp

  assert.ok(bufferedBytes < 8_000_000, `${bufferedBytes} bytes came in advance`)
  assert.equal(follower.updates.length, 40)
})

test('without NATS everything is rejected at once', async () => {
  const publisher = openFeedPublisher(aBus().connect(), { replicas: 1, logger: aCapturedLog().logger })

  await assert.rejects(publisher.publishUpdate(north, aDelta(1)), isUnavailable)
  await assert.rejects(publisher.publishHeartbeat(1), isUnavailable)
  await assert.rejects(publisher.findMarker(), isUnavailable)
  assert.ok(!publisher.isUp())
})

test('an update larger than the limit of NATS is an internal error, and breaks no connection', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const huge: FeedMessage = aSnapshot(1, 'x'.repeat(9_000_000))

  await assert.rejects(publisher.publishUpdate(north, huge), /exceeds the limit of NATS/)
  await publisher.publishHeartbeat(1)
})

const isUnavailable = (error: { kind?: { code: string; status: number } }) =>
  error.kind?.code === 'feed.unavailable' && error.kind.status === 503

/** The bytes received once no more arrive. */
async function steadyBytes(bus: Bus): Promise<number> {
  let [bytes, polls] = [0, 0]
  await until(async () => {
    await bus.ping()
    const { inBytes } = bus.connection()!.stats()
    polls = inBytes === bytes ? polls + 1 : 0
    bytes = inBytes
    return polls === 20
  })
  return bytes
}
