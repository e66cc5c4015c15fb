import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import type { Bus } from '../bus.ts'
import { aBus } from '../testing/a-bus.ts'
import { openFeedPublisher } from './feed-publisher.ts'
import { manageStreams, STEPS_KEPT, WHOLE_EVERY } from './feed-stream.ts'
import { FEED_STREAM, stepSubject } from './feed-subjects.ts'
import {
  aChange,
  aChannel,
  aConnectedBus,
  aFollower,
  aPublisher,
  aWhole,
  CLOCK_MS,
  someNats,
  until,
} from './testing/a-feed-system.ts'

const north = aChannel('north')
const south = aChannel('south')

test('steps come in the order in which they were told, also those from before anybody listened', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const tell = async (first: number, last: number) => {
    for (let version = first; version <= last; version += 1) {
      await publisher.publishStep(north, aChange(version))
      await publisher.publishStep(south, aChange(version))
    }
  }
  await tell(1, STEPS_KEPT)

  const follower = await aFollower(t, url)
  await follower.caughtUp
  const early = [...follower.steps]
  await tell(STEPS_KEPT + 1, 60)
  await until(() => follower.steps.length === 120)

  const told = Array.from({ length: 60 }, (_, at) => [
    `north change ${at + 1}`,
    `south change ${at + 1}`,
  ]).flat()
  assert.deepEqual(early, told.slice(0, 2 * STEPS_KEPT))
  assert.deepEqual(follower.steps, told)
  assert.ok(follower.isCaughtUp())
  assert.equal(follower.lastHeardMs(), CLOCK_MS)
})

test('a change that is told twice is kept once, and a whole is told as often as it is asked for', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.beat(1)
  const follower = await aFollower(t, url)
  await follower.caughtUp

  for (const step of [aWhole(1), aChange(2), aChange(2), aWhole(2), aWhole(2)]) {
    await publisher.publishStep(north, step)
  }
  await until(() => follower.steps.length >= 4)

  assert.deepEqual(follower.steps, ['north whole 1', 'north change 2', 'north whole 2', 'north whole 2'])
})

test('of a channel the last steps are kept, and other channels are left alone', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishStep(south, aWhole(1, 'south'))
  for (let version = 1; version <= 40; version += 1) {
    await publisher.publishStep(north, version % WHOLE_EVERY === 0 ? aWhole(version) : aChange(version))
  }

  const follower = await aFollower(t, url)
  await follower.caughtUp

  const [first, ...rest] = follower.steps
  assert.equal(first, 'south whole 1')
  assert.equal(rest.length, STEPS_KEPT)
  assert.deepEqual(rest.slice(-1), ['north whole 40'])
})

test('whoever is behind misses nothing while others are told', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const channels = Array.from({ length: 200 }, (_, at) => aChannel(`channel-${at}`))
  const large = aWhole(1, 'x'.repeat(20_000))
  await Promise.all(channels.map((id) => publisher.publishStep(id, large)))

  const follower = await aFollower(t, url)
  while (!follower.isCaughtUp()) {
    await publisher.beat(1)
    await publisher.publishStep(north, aWhole(1))
  }

  assert.deepEqual(new Set(follower.steps).size, 201)
})

test('a heartbeat has the time of its worker and of the broker, and is known to be new or stored before', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.beat(7)
  const follower = await aFollower(t, url)
  await follower.caughtUp

  const beforeMs = Date.now()
  await publisher.beat(8, 'worker-1')
  await until(() => follower.beats.length === 2)

  const [kept, fresh] = follower.beats.map((beat) => ({ ...beat, storedMs: 0 }))
  assert.deepEqual(kept, { nowMs: 7, worker: undefined, storedMs: 0, heardMs: CLOCK_MS, isFresh: false })
  assert.deepEqual(fresh, { nowMs: 8, worker: 'worker-1', storedMs: 0, heardMs: CLOCK_MS, isFresh: true })
  const { storedMs } = follower.beats[1]!
  // The broker runs on this machine, and rounds down.
  assert.ok(storedMs >= beforeMs - 1 && storedMs <= Date.now(), `${storedMs - beforeMs} ms`)
  assert.equal(follower.lastBeat(), follower.beats[1])
})

test('a question reaches exactly one of two who listen, and is not kept', async (t) => {
  const { url } = await someNats(t)
  const workers = [await aPublisher(t, url), await aPublisher(t, url)]
  await workers[0]!.publishStep(north, aWhole(1))
  const heard: unknown[] = []
  for (const worker of workers) worker.hearAsks((id) => heard.push(id))
  const follower = await aFollower(t, url)
  await Promise.all(workers.map(({ bus }) => bus.ping()))

  for (let times = 0; times < 10; times += 1) follower.ask(north)
  await until(() => heard.length >= 10)
  await Promise.all(workers.map(({ bus }) => bus.ping()))

  const { state } = await (await manageStreams(workers[0]!.bus.connection()!)).streams.info(FEED_STREAM)
  assert.deepEqual(
    heard,
    Array.from({ length: 10 }, () => north),
  )
  assert.equal(state.messages, 1)
})

test('a stream is marked once it has been filled, and only the one that was filled', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const { streams } = await manageStreams(publisher.bus.connection()!)

  const atFirst = await publisher.findMarker()
  const created = await publisher.findStream()
  await streams.delete(FEED_STREAM)
  await publisher.mark(created, 1)
  const ofOther = await publisher.findMarker()
  await publisher.mark(await publisher.findStream(), 1)

  assert.equal(atFirst, undefined)
  assert.equal(ofOther, undefined)
  assert.equal((await publisher.findMarker())?.epoch, 1)
})

test('a stream that is there with other settings gets those of this version, and keeps what it holds', async (t) => {
  const { url } = await someNats(t)
  const bus = await aConnectedBus(t, url)
  const { streams } = await manageStreams(bus.connection()!)
  await streams.add({ name: FEED_STREAM, subjects: ['feed.channel.*.*'], max_msg_size: 1_000 })
  bus.connection()!.publish(stepSubject(north), 'something else')

  const publisher = await aPublisher(t, url)
  await publisher.beat(1)

  const { config, state } = await streams.info(FEED_STREAM)
  assert.equal(config.max_msg_size, 8_388_608)
  assert.equal(config.max_msgs_per_subject, STEPS_KEPT)
  assert.equal(state.messages, 2)
})

test('what cannot be read is counted, told once, and passed over', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishStep(north, aWhole(1))
  const follower = await aFollower(t, url)
  await follower.caughtUp
  const nc = publisher.bus.connection()!
  nc.publish(stepSubject(north), 'no step')
  nc.publish('feed.beat', 'no beat')
  nc.publish('feed.beat', 'null')

  await publisher.publishStep(north, aWhole(2))
  await until(() => follower.steps.length === 2)

  assert.match(follower.metrics(), /feed_spoilt_total 3\n/)
  assert.equal(follower.log.lines().filter(({ level }) => level === 'error').length, 1)
})

test('a step that is slow or fails holds up the next, and nothing is lost', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  const follower = await aFollower(t, url, async (step) => {
    if (step === 'north whole 1') throw new Error('the disk is full')
    if (step === 'north change 2') await isFree
  })
  for (const step of [aWhole(1), aChange(2), aChange(3)]) await publisher.publishStep(north, step)
  await until(() => follower.steps.length === 2)
  await publisher.beat(1)

  const beatsHeld = follower.beats.length
  free()
  await until(() => follower.beats.length === 1)

  assert.equal(beatsHeld, 0)
  assert.deepEqual(follower.steps, ['north whole 1', 'north change 2', 'north change 3'])
  assert.match(follower.log.text(), /the disk is full/)
})

test('while a step is slow the others wait at the server, and not in memory', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const large = aWhole(1, 'x'.repeat(500_000))
  const channels = Array.from({ length: 40 }, (_, at) => aChannel(`channel-${at}`))
  for (const id of channels) await publisher.publishStep(id, large)
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  const follower = await aFollower(t, url, () => isFree)
  await until(() => follower.steps.length === 1)

  const heldBytes = await steadyBytes(follower.bus)
  free()
  await follower.caughtUp

  assert.ok(heldBytes < 8_000_000, `${heldBytes} bytes came in advance`)
  assert.equal(follower.steps.length, 40)
})

test('without NATS everything is refused at once', async () => {
  const publisher = openFeedPublisher(aBus().connect(), { replicas: 1, logger: aCapturedLog().logger })

  await assert.rejects(publisher.publishStep(north, aChange(1)), isUnavailable)
  await assert.rejects(publisher.beat(1), isUnavailable)
  await assert.rejects(publisher.findMarker(), isUnavailable)
  assert.ok(!publisher.isUp())
})

test('a step that is larger than NATS takes is our own fault, and breaks no connection', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const huge: FeedMessage = aWhole(1, 'x'.repeat(9_000_000))

  await assert.rejects(publisher.publishStep(north, huge), /more than NATS takes/)
  await publisher.beat(1)
})

const isUnavailable = (error: { kind?: { code: string; status: number } }) =>
  error.kind?.code === 'feed.unavailable' && error.kind.status === 503

/** What has come in, once nothing more comes. */
async function steadyBytes(bus: Bus): Promise<number> {
  let [bytes, looks] = [0, 0]
  await until(async () => {
    await bus.ping()
    const { inBytes } = bus.connection()!.stats()
    looks = inBytes === bytes ? looks + 1 : 0
    bytes = inBytes
    return looks === 20
  })
  return bytes
}
