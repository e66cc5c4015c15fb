import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { aConnectedBus, someNats } from '../feed/testing/a-feed-system.ts'
import { aBus } from '../testing/a-bus.ts'
import { createBrokerTime } from './broker-time.ts'

test("the broker's clock is read to within the round trip, also after its stream was deleted", async (t) => {
  const { url } = await someNats(t)
  const bus = await aConnectedBus(t, url)
  const readTime = createBrokerTime(bus, 1)
  const { streams } = await jetstreamManager(bus.connection()!)

  const first = await readTime()
  await streams.delete('CLOCK')
  const missing = await readTime().catch(() => undefined)
  const again = await readTime()

  assert.equal(missing, undefined)
  for (const time of [first, again]) {
    assert.ok(time !== undefined)
    // Both processes are on this machine.
    const originMs = Date.now() - performance.now()
    assert.ok(time.serverMs >= Math.floor(originMs + time.fromMs) - 5, JSON.stringify(time))
    assert.ok(time.serverMs <= Math.ceil(originMs + time.toMs) + 5, JSON.stringify(time))
  }
})

test('two processes read concurrently, and the stream stays bounded', async (t) => {
  const { url } = await someNats(t)
  const readers = [await aConnectedBus(t, url), await aConnectedBus(t, url)].map((bus) =>
    createBrokerTime(bus, 1),
  )

  const times = await Promise.all(
    readers.flatMap((readTime) => Array.from({ length: 20 }, () => readTime().catch(() => undefined))),
  )

  const { streams } = await jetstreamManager((await aConnectedBus(t, url)).connection()!)
  const { config } = await streams.info('CLOCK')
  assert.ok(times.filter((time) => time !== undefined).length >= 38, 'at most the first ones collide')
  assert.deepEqual([config.max_msgs, config.max_age, config.storage], [1_000, 60_000_000_000, 'memory'])
})

test('without a connection nothing is read', async () => {
  assert.equal(await createBrokerTime(aBus().connect(), 1)(), undefined)
})
