import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import { DEFAULT_LADDER } from '@continuity/core/media/ladder'
import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { aRun, loops, plays } from '@continuity/core/timeline/testing/a-run'
import { aServer, listen } from '../../http/testing/a-server.ts'
import { packGuide } from '../../platform/feed/guide-codec.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { openPlayout } from './open-playout.ts'
import { printFrame } from './snapshot-frame.ts'
import { aChannel, aFeed, anId } from './testing/a-feed.ts'
import { got } from './testing/a-node.ts'

const aDay = aRun({ startSeconds: -32, shownFromSeconds: 0 }, loops('lead', 20), plays('film', 100))
const idOf = (channel: number) => `0198b0a0-0000-7000-8000-00000000c00${channel}`

/** A node with a server, a snapshot log on disk, and a feed that sends nothing until `catchUp`. */
async function aNodeWith(t: TestContext, log: Buffer, given?: string) {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'continuity-node-')))
  await writeFile(join(folder, 'steps.log'), log)
  const metrics = createMetrics()
  const logged: { fields: Readonly<Record<string, unknown>>; message: string }[] = []
  const note = (fields: Readonly<Record<string, unknown>>, message: string) =>
    logged.push({ fields, message })
  const playout = await openPlayout({
    clock: () => ORIGIN_MS + 10_000,
    systemClock: () => ORIGIN_MS + 10_000,
    logger: { info: () => {}, warn: note, error: note } as never,
    metrics,
    ladder: DEFAULT_LADDER,
    mediaBase: '/media/',
    snapshotFolder: folder,
    isClosing: () => false,
  })
  t.after(() => playout.close())
  t.after(() => rm(folder, { recursive: true, force: true }))
  const { server } = aServer(t, { metrics, answerFirst: playout.answer })
  const url = `http://127.0.0.1:${await listen(server)}`
  const caughtUp = Promise.withResolvers<void>()
  let receivedMs: number | undefined
  // Only for the timeout of the node: servers and clients have their own timers.
  if (given === undefined) t.mock.timers.enable({ apis: ['setTimeout'] })
  const [channels] = playout.follow({
    caughtUp: caughtUp.promise,
    lastReceivedMs: () => receivedMs,
    requestSnapshot: () => {},
  })
  const passFeedTimeout = () => {
    t.mock.timers.tick(5_000)
    t.mock.timers.reset()
  }
  return {
    folder,
    playout,
    logged,
    statusOf: async (channel: number) =>
      (await got(`${url}/channels/${idOf(channel)}/direct/720p.m3u8`)).status,
    guideOf: async (channel: number) => (await got(`${url}/channels/${idOf(channel)}/direct/epg.json`)).text,
    isReady: () =>
      channels!.ping().then(
        () => true,
        () => false,
      ),
    passFeedTimeout,
    catchUp: async () => {
      receivedMs = ORIGIN_MS
      caughtUp.resolve()
      await caughtUp.promise
      playout.complete(1)
    },
    read: (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics.print())?.[1]),
  }
}

const updatesOf = (channel: number) => aFeed([aDay], aChannel({ channelId: idOf(channel) }))
const framesOf = (channel: number) =>
  updatesOf(channel).map((message) => printFrame({ key: anId(idOf(channel)), update: encodeUpdate(message) }))

test('a node without a disk copy is not ready and returns 503 until it has received all channels', async (t) => {
  const node = await aNodeWith(t, Buffer.alloc(0))
  node.passFeedTimeout()
  const before = [await node.isReady(), await node.statusOf(1)]

  for (const message of updatesOf(1)) node.playout.apply(encodeUpdate(message), message, anId(idOf(1)))
  const received = [await node.isReady(), await node.statusOf(1), await node.statusOf(2)]
  await node.catchUp()

  assert.deepEqual(before, [false, 503])
  assert.deepEqual(received, [false, 200, 503])
  assert.deepEqual([await node.isReady(), await node.statusOf(1), await node.statusOf(2)], [true, 200, 404])
})

test('a platform without channels is ready, and returns 404', async (t) => {
  const node = await aNodeWith(t, Buffer.alloc(0))

  await node.catchUp()

  assert.deepEqual([await node.isReady(), await node.statusOf(1)], [true, 404])
})

test('a node with a disk copy and without a feed is ready, and returns 404 for unknown channels', async (t) => {
  const node = await aNodeWith(t, Buffer.concat(framesOf(1)))
  const before = [await node.isReady(), await node.statusOf(1), await node.statusOf(2)]

  node.passFeedTimeout()

  assert.deepEqual(before, [false, 200, 503])
  assert.deepEqual([await node.isReady(), await node.statusOf(1), await node.statusOf(2)], [true, 200, 404])
})

test('a node with a corrupt disk copy reports it, serves intact channels, and returns 503 for others', async (t) => {
  const [one, two, three] = [framesOf(1), framesOf(2), framesOf(3)]
  two[0]![60]! ^= 1
  const log = Buffer.concat([one, two, three].flat())
  const node = await aNodeWith(t, log)
  node.passFeedTimeout()

  const statuses = [await node.statusOf(1), await node.statusOf(2), await node.statusOf(3)]
  const asidePath = join(node.folder, 'steps.corrupt')

  assert.deepEqual(statuses, [200, 503, 200])
  assert.equal(await node.isReady(), true)
  assert.deepEqual(
    [
      'playout_channels',
      'playout_channels_waiting',
      'snapshot_corrupt_stretches',
      'snapshot_corrupt_bytes',
    ].map(node.read),
    [2, 1, 1, two[0]!.length],
  )
  assert.deepEqual(node.logged, [
    {
      fields: {
        corrupt_stretches: 1,
        corrupt_bytes: two[0]!.length,
        channels_waiting: 1,
        kept_aside: asidePath,
      },
      message: 'snapshot: skipped corrupt frames; rewriting the log, the feed sends missing channels',
    },
  ])
  assert.deepEqual(await readFile(asidePath), log)

  const [snapshot] = updatesOf(2)
  node.playout.apply(encodeUpdate(snapshot!), snapshot!, anId(idOf(2)))
  await node.catchUp()
  assert.deepEqual([await node.statusOf(2), await node.statusOf(4)], [200, 404])
})

test('a late cut is counted and logged only once the node is in service', async (t) => {
  const node = await aNodeWith(t, Buffer.alloc(0))
  // At second 10 the film is listed up to second 9.6.
  const cuts = [6.4, 3.2].map((startSeconds, at) =>
    aRun({ number: at + 2, sequence: 22 - at, startSeconds, discontinuity: at + 1 }, loops('rescue', 50)),
  )
  const feed = aFeed([aDay, ...cuts], aChannel({ channelId: idOf(1) }))
  const apply = (...messages: typeof feed) => {
    for (const message of messages) node.playout.apply(encodeUpdate(message), message, anId(idOf(1)))
  }
  apply(...feed.slice(0, -1))
  const before = node.read('late_cuts_total')
  await node.catchUp()
  const silent = [...node.logged]

  apply(feed.at(-1)!)

  assert.deepEqual([before, node.read('late_cuts_total')], [0, 1])
  assert.deepEqual(silent, [])
  assert.deepEqual(node.logged, [
    { fields: { channel_id: idOf(1) }, message: 'late cut: an update replaced listed segments' },
  ])
})

test('a node that restarts without the control room has the guide that it received', async (t) => {
  const planned = { id: 'far', title: 'Far', description: '', startMs: ORIGIN_MS + 864_000_000 }
  const { bytes } = await packGuide({ epoch: 1, version: 1 }, [
    { ...planned, endMs: planned.startMs + 3_600_000 },
  ])
  const before = await aNodeWith(t, Buffer.concat(framesOf(1)))
  const without = await before.guideOf(1)
  await before.playout.guides.store(anId(idOf(1)), bytes)

  const after = await aNodeWith(t, Buffer.concat(framesOf(1)), before.folder)

  assert.ok(!without.includes('far'))
  const [guide, other] = [await before.guideOf(1), await after.guideOf(1)]
  assert.equal(other, guide)
  assert.deepEqual(
    (JSON.parse(guide) as { programs: { program_id: string; start_time: string }[] }).programs
      .filter(({ program_id }) => program_id === 'far')
      .map(({ start_time }) => Date.parse(start_time)),
    [planned.startMs],
  )
})
