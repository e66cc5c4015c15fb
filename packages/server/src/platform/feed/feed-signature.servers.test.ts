import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { SIGNATURE_HEADER, signFeed } from './feed-signature.ts'
import { FEED_STREAM, HEARTBEAT_SUBJECT, MARKER_SUBJECT, updateSubject } from './feed-subjects.ts'
import {
  aChannel,
  aDelta,
  aFollower,
  aPublisher,
  aSnapshot,
  someNats,
  until,
} from './testing/a-feed-system.ts'
import { someFeedKeys } from './testing/some-feed-keys.ts'

const payload = new TextEncoder().encode('a payload')
const MINUTE_MS = 60_000

test('a signature is valid for its subject and payload only', async (t) => {
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

test('the signed bytes are a purpose, the subject and the payload', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = { kid: 'k', createdMs: 0, privateKey, publicKey }
  const signer = signFeed(
    () => key,
    () => new Map(),
  )

  const expected = sign(null, Buffer.from('continuity feed 1\nfeed.beat\na payload'), privateKey)

  assert.equal(signer.sign('feed.beat', payload), `k.${expected.toString('base64url')}`)
})

test('signatures of an unknown key, also under a known key id, are rejected', async (t) => {
  const [{ signer, verifier }, other] = [await someFeedKeys(t), await someFeedKeys(t)]
  const [kid] = signer.sign('feed.beat', payload).split('.')
  const [, forged] = other.signer.sign('feed.beat', payload).split('.')

  assert.equal(verifier.isValid('feed.beat', payload, other.signer.sign('feed.beat', payload)), false)
  assert.equal(verifier.isValid('feed.beat', payload, `${kid}.${forged}`), false)
})

test('a node delivers signed messages, and drops, counts and logs the rest without losing its position', async (t) => {
  const nats = await someNats(t)
  const { signer, verifier } = await someFeedKeys(t)
  const publisher = await aPublisher(t, nats.url, 1, signer)
  const follower = await aFollower(t, nats.url, undefined, { verifier })
  await publisher.publishUpdate(aChannel('north'), aSnapshot(1))
  const stolen = signer.sign(updateSubject(aChannel('south')), encodeUpdate(aSnapshot(9)))

  const forge = forgeInto(publisher.bus.connection()!)
  await forge(updateSubject(aChannel('north')), encodeUpdate(aSnapshot(9)))
  await forge(updateSubject(aChannel('north')), encodeUpdate(aSnapshot(9)), stolen)
  await forge(HEARTBEAT_SUBJECT, '{"now_ms":1}')
  await forge(MARKER_SUBJECT, 'some other stream')
  await publisher.publishUpdate(aChannel('north'), aDelta(2))
  await publisher.publishHeartbeat(5)

  await until(() => follower.heartbeats.length > 0)
  assert.deepEqual(follower.updates, ['north whole 1', 'north change 2'])
  assert.deepEqual(
    follower.heartbeats.map(({ nowMs }) => nowMs),
    [5],
  )
  assert.match(follower.metrics(), /^feed_unverified_total 4$/m)
  const logged = follower.log.lines().filter(({ msg }) => String(msg).startsWith('feed: dropped a message'))
  assert.equal(logged.length, 1)
  assert.equal(follower.isCaughtUp(), true)
})

test('forged messages do not keep a node from catching up, and do not count as heartbeats', async (t) => {
  const nats = await someNats(t)
  const { verifier } = await someFeedKeys(t)
  const publisher = await aPublisher(t, nats.url)
  await publisher.publishUpdate(aChannel('north'), aSnapshot(1))
  await publisher.publishHeartbeat(1)

  const follower = await aFollower(t, nats.url, undefined, { verifier })
  await follower.caughtUp
  await until(() => follower.metrics().includes('feed_unverified_total 2'))

  assert.deepEqual(follower.updates, [])
  assert.equal(follower.lastReceivedMs(), undefined)
})

test('a node requests the snapshot of a channel of which it dropped a message, at a limited rate', async (t) => {
  const nats = await someNats(t)
  const { signer, verifier } = await someFeedKeys(t)
  const unsigned = await aPublisher(t, nats.url)
  const signing = await aPublisher(t, nats.url, 1, signer)
  const requested: string[] = []
  signing.onSnapshotRequest(({ channelId }) => void requested.push(channelId))
  await signing.publishHeartbeat(1)
  const follower = await aFollower(t, nats.url, undefined, { verifier })
  await follower.caughtUp

  for (let version = 1; version <= 3; version += 1)
    await unsigned.publishUpdate(aChannel('north'), aDelta(version))
  await until(() => follower.metrics().includes('feed_unverified_total 3'))
  await until(() => requested.length > 0)
  // The signed copy of a message stored without a signature is not deduplicated.
  await signing.publishUpdate(aChannel('north'), aDelta(3))
  await until(() => follower.updates.includes('north change 3'))

  assert.deepEqual(requested, ['north'])
})

test('messages without a valid signature do not change the version that a worker reads', async (t) => {
  const nats = await someNats(t)
  const { signer } = await someFeedKeys(t)
  const signing = await aPublisher(t, nats.url, 1, signer)
  const forging = await aPublisher(t, nats.url)
  await signing.publishUpdate(aChannel('north'), aSnapshot(4))
  await forging.publishUpdate(aChannel('north'), aSnapshot(999))
  const nc = forging.bus.connection()!
  const absurd = headers()
  absurd.set('Continuity-Feed-Version', '99999999999999999999.1')
  nc.publish(updateSubject(aChannel('south')), 'x', { headers: absurd })
  await nc.flush()

  const stated = await signing.listLastVersions()
  const published = await signing.publishUpdate(aChannel('north'), aSnapshot(5))

  assert.deepEqual(
    stated.map(({ version }) => version),
    [999],
  )
  assert.equal(published, undefined)
  assert.equal((await signing.readPublished(aChannel('north')))?.version, 5)
  assert.equal((await signing.findVersion(aChannel('north')))?.version, 5)
})

test('known messages are neither verified nor delivered', async (t) => {
  const nats = await someNats(t)
  const { signer, verifier } = await someFeedKeys(t)
  const publisher = await aPublisher(t, nats.url, 1, signer)
  for (let version = 1; version <= 5; version += 1)
    await publisher.publishUpdate(aChannel('north'), aSnapshot(version))
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
  await until(() => follower.updates.length > 0)

  assert.deepEqual(follower.updates, ['north whole 5'])
  assert.equal(verified.length, 1)
})

test('a new key signs after ten minutes, all channels are published again with it, and nodes accept both keys meanwhile', async (t) => {
  const nats = await someNats(t)
  const { rotate, copyToNode, passMs, signer, verifier } = await someFeedKeys(t)
  const publisher = await aPublisher(t, nats.url, 1, signer)
  const follower = await aFollower(t, nats.url, undefined, { verifier })
  assert.equal(await publisher.findMarker(), undefined)
  await publisher.publishMarker(await publisher.findStream(), 1)
  assert.equal((await publisher.findMarker())?.isCurrent, true)

  passMs(60 * MINUTE_MS)
  await rotate()
  await copyToNode()
  await publisher.publishUpdate(aChannel('old'), aSnapshot(1))
  passMs(10 * MINUTE_MS - 1)
  assert.equal((await publisher.findMarker())?.isCurrent, true)
  passMs(1)
  assert.equal((await publisher.findMarker())?.isCurrent, false)
  await publisher.publishUpdate(aChannel('new'), aSnapshot(1))
  await publisher.publishMarker(await publisher.findStream(), 1)
  assert.equal((await publisher.findMarker())?.isCurrent, true)

  await until(() => follower.updates.length === 2)
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
  await publisher.publishUpdate(aChannel('north'), aSnapshot(1))
  await until(() => follower.metrics().includes('feed_unverified_total 1'))
  assert.deepEqual(follower.updates, [])

  await copyToNode()
  await publisher.publishHeartbeat(1)

  await until(() => follower.updates.includes('north whole 1'))
})

test('a stream that was filled without signatures is not complete for a worker that signs', async (t) => {
  const nats = await someNats(t)
  const { signer } = await someFeedKeys(t)
  const [unsigned, signing] = [await aPublisher(t, nats.url), await aPublisher(t, nats.url, 1, signer)]
  assert.equal((await unsigned.findMarker()) !== undefined, false)
  await unsigned.publishMarker(await unsigned.findStream(), 1)

  assert.equal((await unsigned.findMarker()) !== undefined, true)
  assert.equal((await signing.findMarker()) !== undefined, false)
})

const forgeInto =
  (nc: NatsConnection) => async (subject: string, body: Uint8Array | string, signature?: string) => {
    const signed = headers()
    if (signature !== undefined) signed.set(SIGNATURE_HEADER, signature)
    await jetstream(nc).publish(subject, body, { headers: signed })
  }

/** The number of stored messages by signing key. */
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
