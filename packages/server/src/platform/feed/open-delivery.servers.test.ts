import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { findStream } from './feed-stream.ts'
import { type FeedPosition, type OpenDelivery, openDelivery } from './open-delivery.ts'
import { aChannel, aPublisher, aSnapshot, someNats } from './testing/a-feed-system.ts'

test('in the same stream a delivery resumes at the time of the position', async (t) => {
  const { nc, position } = await aFilledStream(t)

  const delivery = await openDelivery(nc, 'test', { ...position, storedMs: Date.now() + 60_000 })

  assert.ok(delivery.isSame)
  assert.ok(delivery.isCaughtUp)
})

test('some seconds before the position are delivered again, because clocks differ', async (t) => {
  const { nc, position } = await aFilledStream(t)

  const delivery = await openDelivery(nc, 'test', position)

  assert.ok(delivery.isCaughtUp)
  assert.equal(await firstSubject(delivery), 'feed.channel.account.north')
})

test('another stream of the same name is delivered from its beginning, whatever its clock', async (t) => {
  const { nc, position } = await aFilledStream(t)

  const delivery = await openDelivery(nc, 'test', {
    ...position,
    created: 'before',
    storedMs: Date.now() + 60_000,
  })

  assert.ok(!delivery.isSame)
  assert.ok(!delivery.isCaughtUp)
  assert.equal(await firstSubject(delivery), 'feed.channel.account.north')
})

test('a stream with fewer messages than were delivered has lost some, and is delivered from its beginning', async (t) => {
  const { nc, position } = await aFilledStream(t)
  const beyond = { ...position, streamSequence: position.streamSequence + 1, storedMs: Date.now() + 60_000 }

  const delivery = await openDelivery(nc, 'test', beyond)

  assert.ok(!delivery.isSame)
  assert.equal(await firstSubject(delivery), 'feed.channel.account.north')
})

/** With one snapshot and one heartbeat, both already delivered. */
async function aFilledStream(t: TestContext) {
  const publisher = await aPublisher(t, (await someNats(t)).url)
  await publisher.publishUpdate(aChannel('north'), aSnapshot(1))
  await publisher.publishHeartbeat(1)
  const nc = publisher.bus.connection()!
  const { created, state } = (await findStream(nc))!
  const position: FeedPosition = {
    created,
    streamSequence: state.last_seq,
    storedMs: Date.parse(state.last_ts),
  }
  return { nc, position }
}

async function firstSubject({ messages }: OpenDelivery): Promise<string | undefined> {
  for await (const { subject } of messages) return subject
  return undefined
}
