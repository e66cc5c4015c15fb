import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manageStreams } from './feed-stream.ts'
import { FEED_STREAM } from './feed-subjects.ts'
import {
  aChannel,
  aConnectedBus,
  aDelta,
  aFollower,
  aPublisher,
  aSnapshot,
  someNats,
  until,
} from './testing/a-feed-system.ts'
import { aWorker, hasReceivedAll } from './testing/a-worker.ts'

const REFILLED_MS = 10_000

test('a deleted stream is created and filled again, and followers receive everything again', async (t) => {
  const { url } = await someNats(t)
  const worker = await aWorker(t, url)
  await worker.commit('north')
  await worker.commit('south')
  const follower = await aFollower(t, url)
  await until(() => hasReceivedAll(follower, worker))
  const { streams } = await manageStreams((await aConnectedBus(t, url)).connection()!)

  const before = follower.updates.length
  await streams.delete(FEED_STREAM)
  await until(() => hasReceivedAll(follower, worker, before), REFILLED_MS)
  await worker.commit('north')

  await until(() => follower.updates.includes('north whole 2'), 1_000)
})

test('a server that lost its store is filled again within ten seconds of its return', async (t) => {
  const nats = await someNats(t)
  const worker = await aWorker(t, nats.url)
  await worker.commit('north')
  const follower = await aFollower(t, nats.url)
  await until(() => hasReceivedAll(follower, worker))

  const before = follower.updates.length
  const server = nats.servers[0]!
  await server.kill()
  await server.deleteStore()
  const committed = worker.commit('south')
  await server.start()
  await until(() => hasReceivedAll(follower, worker, before), REFILLED_MS)

  await committed
  assert.notEqual(await worker.findMarker(), undefined)
})

test('after a restart without loss only new messages are delivered', async (t) => {
  const nats = await someNats(t)
  const publisher = await aPublisher(t, nats.url)
  await publisher.publishUpdate(aChannel('north'), aSnapshot(1))
  const follower = await aFollower(t, nats.url)
  await follower.caughtUp

  await nats.servers[0]!.kill()
  await nats.servers[0]!.start()
  await until(() => publisher.isUp())
  await publisher.publishUpdate(aChannel('north'), aDelta(2))
  await until(() => follower.updates.length > 1, REFILLED_MS)

  assert.deepEqual(follower.updates, ['north whole 1', 'north change 2'])
})
