import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import { GUIDE_STREAM } from './feed-subjects.ts'
import { followGuides } from './follow-guides.ts'
import { packGuide, readGuideVersion } from './guide-codec.ts'
import { openGuidePublisher } from './guide-publisher.ts'
import { aConnectedBus, someNats, until } from './testing/a-feed-system.ts'
import { someFeedKeys } from './testing/some-feed-keys.ts'

const id = { accountId: 'north', channelId: 'one' }
const aGuide = (epoch: number, version: number) => packGuide({ epoch, version }, [])

test('nodes receive the last guide of a channel, from the beginning, of a new stream, and signed', async (t) => {
  const nats = await someNats(t)
  const bus = await aConnectedBus(t, nats.url)
  const keys = await someFeedKeys(t)
  const guides = openGuidePublisher(bus, { replicas: 1, signer: keys.signer })
  const unsigned = openGuidePublisher(bus, { replicas: 1 })
  const received: string[] = []
  const created = await guides.ensureStream()
  await guides.publishGuide(id, await aGuide(1, 4))
  await guides.publishGuide(id, await aGuide(1, 5))
  // A worker that was slow does not replace it.
  await guides.publishGuide(id, await aGuide(1, 3))
  await unsigned.publishGuide({ ...id, channelId: 'other' }, await aGuide(1, 9))

  const follower = followGuides(await aConnectedBus(t, nats.url), {
    isKnown: async () => false,
    onGuide: async ({ channelId }, bytes) => {
      const version = readGuideVersion(bytes)
      received.push(`${channelId} ${version?.epoch}.${version?.version}`)
    },
    verifier: keys.verifier,
    logger: aCapturedLog().logger,
  })
  t.after(() => follower.close())
  await until(() => received.length > 0, 5_000)
  await guides.publishGuide(id, await aGuide(2, 1))
  await until(() => received.length > 1, 5_000)

  assert.equal(await guides.findMarker(), undefined)
  await guides.publishMarker({ created, epoch: 2 })
  assert.deepEqual(await guides.findMarker(), { created, epoch: 2, isCurrent: true })

  const manager = await jetstreamManager(bus.connection()!)
  await manager.streams.delete(GUIDE_STREAM)
  assert.notEqual(await guides.ensureStream(), created)
  await guides.publishGuide(id, await aGuide(2, 2))
  await until(() => received.length > 2, 10_000)
  assert.deepEqual(received, ['one 1.5', 'one 2.1', 'one 2.2'])
})
