import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findStream } from './feed-stream.ts'
import { type OpenDelivery, openDelivery, type Place } from './open-delivery.ts'
import { aChannel, aPublisher, aWhole, someNats } from './testing/a-feed-system.ts'

test('in the same stream a delivery goes on from the time of the place', async (t) => {
  const { nc, place } = await aFilledStream(t)

  const delivery = await openDelivery(nc, 'test', { ...place, storedMs: Date.now() + 60_000 })

  assert.ok(delivery.isSame)
  assert.ok(delivery.isCaughtUp)
})

test('some seconds before the place are delivered again, for clocks that differ', async (t) => {
  const { nc, place } = await aFilledStream(t)

  const delivery = await openDelivery(nc, 'test', place)

  assert.ok(delivery.isCaughtUp)
  assert.equal(await firstSubject(delivery), 'feed.channel.account.north')
})

test('another stream of the same name is delivered from its beginning, whatever its clock', async (t) => {
  const { nc, place } = await aFilledStream(t)

  const delivery = await openDelivery(nc, 'test', {
    ...place,
    created: 'before',
    storedMs: Date.now() + 60_000,
  })

  assert.ok(!delivery.isSame)
  assert.ok(!delivery.isCaughtUp)
  assert.equal(await firstSubject(delivery), 'feed.channel.account.north')
})

test('a stream that has less than was handed over has lost something, and is delivered from its beginning', async (t) => {
  const { nc, place } = await aFilledStream(t)
  const beyond = { ...place, streamSequence: place.streamSequence + 1, storedMs: Date.now() + 60_000 }

  const delivery = await openDelivery(nc, 'test', beyond)

  assert.ok(!delivery.isSame)
  assert.equal(await firstSubject(delivery), 'feed.channel.account.north')
})

/** With one whole and one beat, both of which were handed over. */
async function aFilledStream(t: TestContext) {
  const publisher = await aPublisher(t, (await someNats(t)).url)
  await publisher.publishStep(aChannel('north'), aWhole(1))
  await publisher.beat(1)
  const nc = publisher.bus.connection()!
  const { created, state } = (await findStream(nc))!
  const place: Place = { created, streamSequence: state.last_seq, storedMs: Date.parse(state.last_ts) }
  return { nc, place }
}

async function firstSubject({ messages }: OpenDelivery): Promise<string | undefined> {
  for await (const { subject } of messages) return subject
  return undefined
}
