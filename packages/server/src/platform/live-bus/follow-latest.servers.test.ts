import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { jetstream } from '@nats-io/jetstream'
import { aConnectedBus, someNats, until } from '../feed/testing/a-feed-system.ts'
import { followLatest } from './follow-latest.ts'
import { CONFIG_SUBJECTS, configSubject, ensureLiveStreams } from './live-streams.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

async function aFollowed(t: TestContext) {
  const nats = await someNats(t)
  const server = nats.servers[0]!
  const bus = await aConnectedBus(t, server.url)
  await ensureLiveStreams(bus.connection()!, 1)
  const publish = async (id: string, text: string) => {
    await until(() => bus.connection() !== undefined)
    await jetstream(bus.connection()!).publish(configSubject(id), text)
  }
  const follow = async () => {
    const own = await aConnectedBus(t, server.url)
    const received: string[] = []
    const follower = followLatest(own, {
      subjects: CONFIG_SUBJECTS,
      onMessage: (subject, text) => received.push(`${subject.split('.').at(-1)} ${text}`),
      logger: silent,
    })
    t.after(() => follower.close())
    return { received, follower }
  }
  return { server, publish, follow, bus }
}

test('a follower gets the last message of every subject, and then new ones', async (t) => {
  const { publish, follow } = await aFollowed(t)
  await publish('a', 'old')
  await publish('b', 'one')
  await publish('a', 'new')

  const { received, follower } = await follow()
  await until(() => follower.isCaughtUp() && received.length === 2)
  await publish('c', 'more')
  await until(() => received.length === 3)

  assert.deepEqual(received.toSorted(), ['a new', 'b one', 'c more'])
})

test('a follower of an empty stream has caught up, and receives new messages', async (t) => {
  const { publish, follow } = await aFollowed(t)

  const { received, follower } = await follow()
  await until(() => follower.isCaughtUp())
  await publish('a', 'first')
  await until(() => received.length === 1)

  assert.deepEqual(received, ['a first'])
})

test('stored messages are delivered again after an outage of the broker, and after it lost its store', async (t) => {
  const { server, publish, follow, bus } = await aFollowed(t)
  await publish('a', 'one')
  const { received, follower } = await follow()
  await until(() => follower.isCaughtUp() && received.length === 1)

  await server.kill()
  await server.start()
  await publish('a', 'two')
  await until(() => received.includes('a two'))
  await server.kill()
  await server.deleteStore()
  await server.start()
  await until(() => bus.connection() !== undefined)
  await ensureLiveStreams(bus.connection()!, 1)
  await publish('b', 'three')
  await until(() => received.includes('b three'))

  assert.equal(received.at(-1), 'b three')
})
