import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manageStreams } from './feed-stream.ts'
import { FEED_STREAM } from './feed-subjects.ts'
import {
  aChange,
  aChannel,
  aConnectedBus,
  aFollower,
  aPublisher,
  aWhole,
  someNats,
  until,
} from './testing/a-feed-system.ts'
import { aWorker, knowsAll } from './testing/a-worker.ts'

const WHOLE_AGAIN_MS = 10_000

test('a stream that is deleted is made and filled again, and followers get everything anew', async (t) => {
  const { url } = await someNats(t)
  const worker = await aWorker(t, url)
  await worker.commit('north')
  await worker.commit('south')
  const follower = await aFollower(t, url)
  await until(() => knowsAll(follower, worker))
  const { streams } = await manageStreams((await aConnectedBus(t, url)).connection()!)

  const before = follower.steps.length
  await streams.delete(FEED_STREAM)
  await until(() => knowsAll(follower, worker, before), WHOLE_AGAIN_MS)
  await worker.commit('north')

  await until(() => follower.steps.includes('north whole 2'), 1_000)
})

test('a server that comes back with nothing is filled again, within ten seconds of its return', async (t) => {
  const nats = await someNats(t)
  const worker = await aWorker(t, nats.url)
  await worker.commit('north')
  const follower = await aFollower(t, nats.url)
  await until(() => knowsAll(follower, worker))

  const before = follower.steps.length
  const server = nats.servers[0]!
  await server.kill()
  await server.deleteStore()
  const committed = worker.commit('south')
  await server.start()
  await until(() => knowsAll(follower, worker, before), WHOLE_AGAIN_MS)

  await committed
  assert.notEqual(await worker.findMarker(), undefined)
})

test('after a restart that kept everything, only what is new is handed over', async (t) => {
  const nats = await someNats(t)
  const publisher = await aPublisher(t, nats.url)
  await publisher.publishStep(aChannel('north'), aWhole(1))
  const follower = await aFollower(t, nats.url)
  await follower.caughtUp

  await nats.servers[0]!.kill()
  await nats.servers[0]!.start()
  await until(() => publisher.isUp())
  await publisher.publishStep(aChannel('north'), aChange(2))
  await until(() => follower.steps.length > 1, WHOLE_AGAIN_MS)

  assert.deepEqual(follower.steps, ['north whole 1', 'north change 2'])
})
