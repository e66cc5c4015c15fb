import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachConcurrent } from '../concurrency/for-each-concurrent.ts'
import { manageStreams } from './feed-stream.ts'
import { FEED_STREAM, updateSubject } from './feed-subjects.ts'
import {
  aChannel,
  aDelta,
  aFollower,
  aPublisher,
  aSnapshot,
  someNats,
  until,
} from './testing/a-feed-system.ts'

const north = aChannel('north')
const south = aChannel('south')

test('an older update is not published over a newer one, whose version is returned', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishUpdate(north, aSnapshot(9))

  const older = await publisher.publishUpdate(north, aDelta(6))
  const same = await publisher.publishUpdate(north, aSnapshot(9))
  const restored = await publisher.publishUpdate(north, { ...aSnapshot(2), epoch: 7 })
  const before = await publisher.publishUpdate(north, aSnapshot(10))

  assert.deepEqual([older, same, restored], [{ epoch: 1, version: 9 }, undefined, undefined])
  assert.deepEqual(before, { epoch: 7, version: 2 })
})

test('a version that is published again in another epoch is not taken for a repetition', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  const follower = await aFollower(t, url)

  await publisher.publishUpdate(north, aDelta(5))
  await publisher.publishUpdate(north, { ...aDelta(5), epoch: 2 })

  await until(() => follower.updates.length === 2)
})

test('the last version of every channel is read from the stream, and a channel as nodes have it', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishUpdate(south, aSnapshot(3, 'south'))
  await publisher.publishUpdate(north, aSnapshot(1))
  for (const version of [2, 3, 4]) await publisher.publishUpdate(north, aDelta(version))

  const versions = await publisher.listLastVersions()
  const state = await publisher.readPublished(north)

  assert.deepEqual(
    versions.toSorted((one, other) => one.version - other.version),
    [
      { id: south, epoch: 1, version: 3 },
      { id: north, epoch: 1, version: 4 },
    ],
  )
  assert.deepEqual([state?.epoch, state?.version, state?.channel.channelId], [1, 4, 'north'])
  assert.equal(await publisher.readPublished(aChannel('west')), undefined)
})

test('a channel of which the stream lacks an update is not returned', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishUpdate(north, aSnapshot(1))
  await publisher.publishUpdate(north, aDelta(3))

  assert.equal(await publisher.readPublished(north), undefined)
})

test('versions of thousands of channels are read, and of an empty stream none', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishHeartbeat(1)
  const none = await publisher.listLastVersions()

  const ids = Array.from({ length: 2_000 }, (_, at) => aChannel(`c${at}`))
  // A few at a time: on a busy machine too many would exceed the timeout of each.
  await forEachConcurrent(
    ids,
    20,
    async (id) => void (await publisher.publishUpdate(id, aSnapshot(1, id.channelId))),
  )
  const versions = await publisher.listLastVersions()

  assert.deepEqual(none, [])
  assert.equal(new Set(versions.map(({ id }) => id.channelId)).size, 2_000)
})

test('an update of the previous release has no version header, and counts when its channel is published', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishHeartbeat(1)
  const nc = publisher.bus.connection()!
  const { streams } = await manageStreams(nc)
  await publisher.publishUpdate(south, aSnapshot(3, 'south'))
  const stored = await streams.getMessage(FEED_STREAM, { last_by_subj: updateSubject(south) })
  nc.publish(updateSubject(north), stored!.data)
  await nc.flush()

  const versions = await publisher.listLastVersions()

  assert.deepEqual(
    versions.map(({ id }) => id),
    [south],
  )
  assert.deepEqual(await publisher.publishUpdate(north, aSnapshot(1)), { epoch: 1, version: 3 })
})

test('a marker is valid for its stream and its epoch', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishHeartbeat(1)
  const completed: number[] = []
  await aFollower(t, url, undefined, { onComplete: (epoch) => void completed.push(epoch) })

  const created = await publisher.findStream()
  await publisher.publishMarker(created, 1)
  const first = await publisher.findMarker()
  await publisher.publishMarker(created, 1_795_000_000)
  const second = await publisher.findMarker()
  publisher.bus.connection()!.publish('feed.mark', '2020-01-01T00:00:00Z 9')
  await publisher.publishUpdate(north, aSnapshot(1))
  await until(() => completed.length >= 2)

  assert.equal(first?.epoch, 1)
  assert.equal(second?.epoch, 1_795_000_000)
  assert.equal(await publisher.findMarker(), undefined)
  assert.deepEqual(completed, [1, 1_795_000_000])
})
