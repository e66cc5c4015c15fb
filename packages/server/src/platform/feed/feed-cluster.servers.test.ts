import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import type { Bus } from '../bus/bus.ts'
import { findStream } from './feed-stream.ts'
import { aChannel, aDelta, aFollower, aPublisher, someNats, until } from './testing/a-feed-system.ts'

test('no acknowledged update is lost with one of three servers, also with the leader', async (t) => {
  const nats = await someNats(t, 3)
  const publisher = await aPublisher(t, nats.url, 3)
  // On so many channels that all updates are kept.
  const isStored = (version: number) =>
    publisher.publishUpdate(aChannel(`channel-${version % 6}`), aDelta(version)).then(
      () => true,
      () => false,
    )
  await until(() => isStored(1), 30_000)
  const follower = await aFollower(t, nats.url)
  await follower.caughtUp

  const published = publishInSequence(isStored, 2, 60)
  await until(() => follower.updates.length > 10)
  await (await findLeader(nats, publisher.bus)).kill()
  await published

  await until(() => follower.updates.length === 60)
  const late = await aFollower(t, nats.url)
  await late.caughtUp
  const all = Array.from({ length: 60 }, (_, at) => `channel-${(at + 1) % 6} change ${at + 1}`)
  assert.deepEqual(follower.updates, all)
  assert.deepEqual(late.updates, all)
})

/** Publishes each until it is acknowledged, and then the next. */
async function publishInSequence(
  isStored: (version: number) => Promise<boolean>,
  first: number,
  last: number,
) {
  for (let version = first; version <= last; version += 1) await until(() => isStored(version), 30_000)
}

async function findLeader({ servers }: PrivateNatsCluster, bus: Bus) {
  const stream = await findStream(bus.connection()!)
  return servers.find(({ name }) => name === stream?.cluster?.leader)!
}
