import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import { printFrame } from '../modules/playout/snapshot-frame.ts'
import { aChannel, anId } from '../modules/playout/testing/a-feed.ts'
import type { FeedPublisher } from '../platform/feed/feed-publisher.ts'
import { aPublisher, someNats, until } from '../platform/feed/testing/a-feed-system.ts'
import { openDiskStore } from '../platform/media-store/disk-store.ts'
import {
  aFolder,
  aPlayedChannel,
  aPlayoutNode,
  fetchPlaylist,
  type Ready,
  untilReady,
} from './testing/a-playout-node.ts'

test('a playout node serves media and probes with only its store, and exits cleanly', async (t) => {
  const folder = await aFolder(t)
  const { url, end } = await aPlayoutNode(t, { MEDIA_STORE: folder })
  await openDiskStore(folder).put('assets/a.m3u8', { bytes: Buffer.from('#EXTM3U\n') })

  const media = await fetch(`${url}/media/assets/a.m3u8`)
  const statuses = await Promise.all(
    ['/livez', '/metrics', '/media/assets/b.m3u8', '/channels/a/b/c', '/readyz', '/api/2.1/videos'].map(
      async (path) => (await fetch(url + path)).status,
    ),
  )

  assert.equal(await media.text(), '#EXTM3U\n')
  // It has received no feed, and does not know any channel.
  assert.deepEqual(statuses, [200, 200, 404, 503, 503, 404])
  assert.equal(await end(), 0)
})

test('a restarted node without NATS serves the snapshot on its disk at once, and is ready soon', async (t) => {
  const folder = await aSnapshot(t)
  const { url } = await aPlayoutNode(t, { SNAPSHOT_FOLDER: folder })

  // The very first request, right after the node started to listen.
  const playlist = await fetchPlaylist(url)
  const { status, figures } = await untilReady(url)

  assert.equal(playlist.status, 200)
  assert.match(await playlist.text(), /#EXTINF:1\.6/)
  assert.equal(status, 'ready')
  assert.equal(figures.channels, 1)
  assert.ok(figures.horizon_ms > 3_400_000 && figures.horizon_ms <= 3_600_000, `${figures.horizon_ms}`)
  assert.deepEqual([figures.feed_age_ms, figures.clock_offset_ms], [null, null])
})

test('a node serves the channels of the feed, and still does after a restart without the feed', async (t) => {
  const nats = await someNats(t)
  const publisher = await aPublisher(t, nats.url)
  await publisher.publishUpdate(anId(), aPlayedChannel())
  await markComplete(publisher)
  const settings = { NATS_URL: nats.url, SNAPSHOT_FOLDER: await aFolder(t) }
  const node = await aPlayoutNode(t, settings)
  await untilReady(node.url)
  const served = await fetchPlaylist(node.url)

  // The second update is missing.
  let requested: unknown
  publisher.onSnapshotRequest((id) => (requested = id))
  await publisher.publishUpdate(anId(), { ...aDelta, version: 3, channel: aChannel({ title: 'Third' }) })
  await until(() => requested !== undefined)
  await publisher.publishUpdate(anId(), aPlayedChannel(4))
  await publisher.publishHeartbeat(Date.now())
  await until(async () => (await untilReady(node.url)).figures.clock_offset_ms !== null)
  const { checks, figures } = await untilReady(node.url)
  await nats.stop()
  node.child.kill('SIGKILL')
  await once(node.child, 'exit')
  const again = await aPlayoutNode(t, settings)

  assert.equal(served.status, 200)
  assert.deepEqual(requested, anId())
  assert.deepEqual([checks['feed']?.ok, checks['clock']?.ok, checks['channels']?.ok], [true, true, true])
  assert.ok(figures.feed_age_ms !== null && figures.feed_age_ms < 10_000)
  assert.equal((await fetchPlaylist(again.url)).status, 200)
})

test('a node that agrees with the broker stays ready when a single worker clock is fast', async (t) => {
  const { url } = await someNats(t)
  const publisher = await aPublisher(t, url)
  await publisher.publishUpdate(anId(), aPlayedChannel())
  await markComplete(publisher)
  const node = await aPlayoutNode(t, { NATS_URL: url })
  await untilReady(node.url)

  await publisher.publishHeartbeat(Date.now() + 5_000)
  await until(async () => ((await readyOf(node.url)).figures.clock_offset_ms ?? 0) > 4_000)
  // Probes share one check of the dependencies for half a second.
  await setTimeout(600)
  const { status, checks } = await readyOf(node.url)

  assert.equal(status, 'ready')
  assert.equal(checks['clock']?.ok, true)
})

test('without its store a node is still ready, reports the store, and serves media again when it is back', async (t) => {
  const folder = await aFolder(t)
  const { url } = await aPlayoutNode(t, { MEDIA_STORE: folder, SNAPSHOT_FOLDER: await aSnapshot(t) })
  await openDiskStore(folder).put('assets/a.ts', { bytes: Buffer.from('x') })
  await rename(folder, `${folder}-away`)
  t.after(() => rm(`${folder}-away`, { recursive: true, force: true }))

  const unavailable = await fetch(`${url}/media/assets/a.ts`)
  const { status, checks } = await untilReady(url)
  await rename(`${folder}-away`, folder)
  const served = await fetch(`${url}/media/assets/a.ts`)

  assert.deepEqual([unavailable.status, unavailable.headers.get('retry-after')], [503, '1'])
  assert.deepEqual([status, checks['media_store']?.ok], ['ready', false])
  assert.equal(served.status, 200)
})

/** Like a worker that has published every channel. */
async function markComplete(publisher: FeedPublisher): Promise<void> {
  await publisher.publishMarker(await publisher.findStream(), 1)
}

const readyOf = async (url: string) => (await (await fetch(`${url}/readyz`)).json()) as Ready

/** The folder of a node with one channel on its disk. */
async function aSnapshot(t: TestContext): Promise<string> {
  const folder = await aFolder(t)
  const frame = printFrame({ key: anId(), update: encodeUpdate(aPlayedChannel()) })
  await writeFile(join(folder, 'steps.log'), frame)
  return folder
}

const aDelta = { kind: 'change', epoch: 1, runs: [], settled: [] } as const
