import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { encodeStep } from '@continuity/core/feed/feed-codec'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { SIGNATURE_HEADER, signFeed } from './feed-signature.ts'
import { BEAT_SUBJECT, FEED_STREAM, MARK_SUBJECT, stepSubject } from './feed-subjects.ts'
import { aChange, aChannel, aFollower, aPublisher, aWhole, someNats, until } from './testing/a-feed-system.ts'
import { someFeedKeys } from './testing/some-feed-keys.ts'

const payload = new TextEncoder().encode('a payload')
const MINUTE_MS = 60_000

test('a signature holds for its subject and its payload alone', async (t) => {
  const { signer, verifier } = await someFeedKeys(t)
  const signature = signer.sign('feed.channel.a.b', payload)

  assert.equal(verifier.isValid('feed.channel.a.b', payload, signature), true)
  assert.equal(verifier.isValid('feed.channel.a.c', payload, signature), false)
  assert.equal(verifier.isValid('feed.channel.a.b', payload.subarray(1), signature), false)
  for (const wrong of [
    undefined,
    '',
    '.',
    signature.slice(0, -1),
    `${signature}A`,
    signature.replace('.', ''),
  ])
    assert.equal(verifier.isValid('feed.channel.a.b', payload, wrong), false)
})

test('the bytes that are signed are a purpose, the subject and the payload', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = { kid: 'k', createdMs: 0, privateKey, publicKey }
  const signer = signFeed(
    () => key,
    () => new Map(),
  )

  const expected = sign(null, Buffer.from('continuity feed 1\nfeed.beat\na payload'), privateKey)

  assert.equal(signer.sign('feed.beat', payload), `k.${expected.toString('base64url')}`)
})

test('a key of our own making, also under the id of a known one, signs nothing that is accepted', async (t) => {
  const [{ signer, verifier }, other] = [await someFeedKeys(t), await someFeedKeys(t)]
  const [kid] = signer.sign('feed.beat', payload).split('.')
  const [, forged] = other.signer.sign('feed.beat', payload).split('.')

  assert.equal(verifier.isValid('feed.beat', payload, other.signer.sign('feed.beat', payload)), false)
  assert.equal(verifier.isValid('feed.beat', payload, `${kid}.${forged}`), false)
})

test('a node hands over what is signed, and drops, counts and logs the rest without losing its place', async (t) => {
  const nats = await someNats(t)
  const { signer, verifier } = await someFeedKeys(t)
  const publisher = await aPublisher(t, nats.url, 1, signer)
  const follower = await aFollower(t, nats.url, undefined, { verifier })
  await publisher.publishStep(aChannel('north'), aWhole(1))
  const stolen = signer.sign(stepSubject(aChannel('south')), encodeStep(aWhole(9)))

  const forge = forgeInto(publisher.bus.connection()!)
  await forge(stepSubject(aChannel('north')), encodeStep(aWhole(9)))
  await forge(stepSubject(aChannel('north')), encodeStep(aWhole(9)), stolen)
  await forge(BEAT_SUBJECT, '{"now_ms":1}')
  await forge(MARK_SUBJECT, 'some other stream')
  await publisher.publishStep(aChannel('north'), aChange(2))
  await publisher.beat(5)

  await until(() => follower.beats.length > 0)
  assert.deepEqual(follower.steps, ['north whole 1', 'north change 2'])
  assert.deepEqual(
    follower.beats.map(({ nowMs }) => nowMs),
    [5],
  )
  assert.match(follower.metrics(), /^feed_unverified_total 4$/m)
  const logged = follower.log.lines().filter(({ msg }) => String(msg).startsWith('dropped a message'))
  assert.equal(logged.length, 1)
  assert.equal(follower.isCaughtUp(), true)
})

test('nothing but forged messages keeps no node from being caught up, and is no sign of life', async (t) => {
  const nats = await someNats(t)
  const { verifier } = await someFeedKeys(t)
  const publisher = await aPublisher(t, nats.url)
  await publisher.publishStep(aChannel('north'), aWhole(1))
  await publisher.beat(1)

  const follower = await aFollower(t, nats.url, undefined, { verifier })
  await follower.caughtUp
  await until(() => follower.metrics().includes('feed_unverified_total 2'))

  assert.deepEqual(follower.steps, [])
  assert.equal(follower.lastHeardMs(), undefined)
})

test('a node requests the snapshot of a channel of which it dropped a message, and not at every message', async (t) => {
  const nats = await someNats(t)
  const { signer, verifier } = await someFeedKeys(t)
  const unsigned = await aPublisher(t, nats.url)
  const signing = await aPublisher(t, nats.url, 1, signer)
  const requested: string[] = []
  signing.hearAsks(({ channelId }) => void requested.push(channelId))
  await signing.beat(1)
  const follower = await aFollower(t, nats.url, undefined, { verifier })
  await follower.caughtUp

  for (let version = 1; version <= 3; version += 1)
    await unsigned.publishStep(aChannel('north'), aChange(version))
  await until(() => follower.metrics().includes('feed_unverified_total 3'))
  await until(() => requested.length > 0)
  // The signed copy of what was stored without a signature is no repetition.
  await signing.publishStep(aChannel('north'), aChange(3))
  await until(() => follower.steps.includes('north change 3'))

  assert.deepEqual(requested, ['north'])
})

test('publishing without a key makes no worker believe in another version', async (t) => {
  const nats = await someNats(t)
  const { signer } = await someFeedKeys(t)
  const signing = await aPublisher(t, nats.url, 1, signer)
  const forging = await aPublisher(t, nats.url)
  await signing.publishStep(aChannel('north'), aWhole(4))
  await forging.publishStep(aChannel('north'), aWhole(999))
  const nc = forging.bus.connection()!
  const absurd = headers()
  absurd.set('Continuity-Feed-Version', '99999999999999999999.1')
  nc.publish(stepSubject(aChannel('south')), 'x', { headers: absurd })
  await nc.flush()

  const stated = await signing.listLastVersions()
  const published = await signing.publishStep(aChannel('north'), aWhole(5))

  assert.deepEqual(
    stated.map(({ version }) => version),
    [999],
  )
  assert.equal(published, undefined)
  assert.equal((await signing.readPublished(aChannel('north')))?.version, 5)
  assert.equal((await signing.findVersion(aChannel('north')))?.version, 5)
})

test('what a node knows already is neither verified nor handed over', async (t) => {
  const nats = await someNats(t)
  const { signer, verifier } = await someFeedKeys(t)
  const publisher = await aPublisher(t, nats.url, 1, signer)
  for (let version = 1; version <= 5; version += 1)
    await publisher.publishStep(aChannel('north'), aWhole(version))
  const verified: string[] = []
  const counting: typeof verifier = {
    ...verifier,
    isValid(subject, ...rest) {
      verified.push(subject)
      return verifier.isValid(subject, ...rest)
    },
  }

  const follower = await aFollower(t, nats.url, undefined, {
    verifier: counting,
    isKnown: (_id, { version }) => version <= 4,
  })
  await until(() => follower.steps.length > 0)

  assert.deepEqual(follower.steps, ['north whole 5'])
  assert.equal(verified.length, 1)
})

test('a new key signs after ten minutes, all channels are published anew with it, and nodes know both keys meanwhile', async (t) => {
  const nats = await someNats(t)
  const { rotate, copyToNode, passMs, signer, verifier } = await someFeedKeys(t)
  const publisher = await aPublisher(t, nats.url, 1, signer)
  const follower = await aFollower(t, nats.url, undefined, { verifier })
  assert.equal(await publisher.findMarker(), undefined)
  await publisher.mark(await publisher.findStream(), 1)
  assert.equal((await publisher.findMarker())?.isCurrent, true)

  passMs(60 * MINUTE_MS)
  await rotate()
  await copyToNode()
  await publisher.publishStep(aChannel('old'), aWhole(1))
  passMs(10 * MINUTE_MS - 1)
  assert.equal((await publisher.findMarker())?.isCurrent, true)
  passMs(1)
  assert.equal((await publisher.findMarker())?.isCurrent, false)
  await publisher.publishStep(aChannel('new'), aWhole(1))
  await publisher.mark(await publisher.findStream(), 1)
  assert.equal((await publisher.findMarker())?.isCurrent, true)

  await until(() => follower.steps.length === 2)
  assert.deepEqual(await signersOf(publisher.bus.connection()!), [2, 2])
})

test('a node that gets the new key too late reads again what it has dropped', async (t) => {
  const nats = await someNats(t)
  const { rotate, copyToNode, passMs, signer, verifier } = await someFeedKeys(t)
  const publisher = await aPublisher(t, nats.url, 1, signer)
  const follower = await aFollower(t, nats.url, undefined, { verifier })
  passMs(60 * MINUTE_MS)
  await rotate()
  passMs(10 * MINUTE_MS)
  await publisher.publishStep(aChannel('north'), aWhole(1))
  await until(() => follower.metrics().includes('feed_unverified_total 1'))
  assert.deepEqual(follower.steps, [])

  await copyToNode()
  await publisher.beat(1)

  await until(() => follower.steps.includes('north whole 1'))
})

test('a stream that was filled without signatures is not complete for those who sign', async (t) => {
  const nats = await someNats(t)
  const { signer } = await someFeedKeys(t)
  const [unsigned, signing] = [await aPublisher(t, nats.url), await aPublisher(t, nats.url, 1, signer)]
  assert.equal((await unsigned.findMarker()) !== undefined, false)
  await unsigned.mark(await unsigned.findStream(), 1)

  assert.equal((await unsigned.findMarker()) !== undefined, true)
  assert.equal((await signing.findMarker()) !== undefined, false)
})

const forgeInto =
  (nc: NatsConnection) => async (subject: string, body: Uint8Array | string, signature?: string) => {
    const signed = headers()
    if (signature !== undefined) signed.set(SIGNATURE_HEADER, signature)
    await jetstream(nc).publish(subject, body, { headers: signed })
  }

/** How many messages each key has signed, of those that the stream holds. */
async function signersOf(nc: NatsConnection): Promise<readonly number[]> {
  const { streams } = await jetstreamManager(nc)
  const { state } = await streams.info(FEED_STREAM)
  const counts = new Map<string, number>()
  for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
    const kid = (await streams.getMessage(FEED_STREAM, { seq }))?.header.get(SIGNATURE_HEADER).split('.')[0]
    if (kid !== undefined) counts.set(kid, (counts.get(kid) ?? 0) + 1)
  }
  return [...counts.values()]
}
