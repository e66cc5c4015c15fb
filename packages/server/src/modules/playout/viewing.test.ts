import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { aRun, loops, plays } from '@continuity/core/timeline/testing/a-run'
import { aTimeline } from '@continuity/core/timeline/testing/a-timeline'
import { printAt } from '@continuity/core/timeline/testing/print-at'
import { aChannel, aFeed } from './testing/a-feed.ts'
import { aNode, got } from './testing/a-node.ts'
import { requestMany } from './testing/request-many.ts'

const aDay = aRun(
  { startSeconds: -32, shownFromSeconds: 0 },
  loops('lead', 20),
  plays('film', 100),
  loops('fill', 60_000),
)

const codeOf = (text: string): unknown => (JSON.parse(text) as { code: unknown }).code

test('unknown files return 404 with a code, cacheable for a second', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(10)
  const files = ['999p.m3u8', 'x', '720p', '../720p.m3u8', '720p.m3u8/']

  const answers = await Promise.all([
    ...files.map((file) => node.get(file)),
    node.get('720p.m3u8', 'unknown'),
    got(`${node.url}/channels/none/direct/720p.m3u8`),
    got(`${node.url}/channels/`),
  ])

  for (const { status, headers, text } of answers) {
    assert.deepEqual([status, codeOf(text)], [404, 'playout.not_found'])
    assert.equal(headers.get('content-type'), 'application/problem+json; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'max-age=1')
    assert.equal(headers.get('access-control-allow-origin'), '*')
  }
})

test('a node that has not received all channels returns 503 for an unknown one', async (t) => {
  const node = await aNode(t)
  node.setHasAllChannels(false)
  const files = ['720p.m3u8', 'index.m3u8', 'epg.json', 'epg.xml']

  const empty = await Promise.all(files.map((file) => node.get(file)))
  node.apply(...aFeed([aDay]))
  node.setSeconds(10)
  const known = await Promise.all(files.map((file) => node.get(file)))
  const unknown = await got(`${node.url}/channels/none/direct/720p.m3u8`)
  node.setHasAllChannels(true)
  const missing = await got(`${node.url}/channels/none/direct/720p.m3u8`)

  for (const { status, headers, text } of [...empty, unknown]) {
    assert.deepEqual([status, codeOf(text)], [503, 'playout.not_ready'])
    assert.equal(headers.get('retry-after'), '1')
    assert.equal(headers.get('cache-control'), 'max-age=1')
  }
  assert.deepEqual(
    known.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.deepEqual([missing.status, missing.headers.get('retry-after')], [404, null])
})

test('a channel off air returns channel.offline until it starts', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(-1)

  const before = [await node.get('720p.m3u8'), await node.get('720p.m3u8'), await node.get('index.m3u8')]
  node.setSeconds(0)
  const after = [await node.get('720p.m3u8'), await node.get('index.m3u8')]

  for (const { status, text } of before) assert.deepEqual([status, codeOf(text)], [404, 'channel.offline'])
  assert.deepEqual(
    after.map(({ status }) => status),
    [200, 200],
  )
})

test('an offline response cached long before a start expires with it', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(-4_000)
  const before = await node.get('720p.m3u8')

  node.setSeconds(0)

  assert.equal(before.status, 404)
  assert.equal((await node.get('720p.m3u8')).status, 200)
})

test('a removed channel is not found, and no earlier update restores it', async (t) => {
  const node = await aNode(t)
  const feed = aFeed([aDay])
  node.apply(...feed)
  node.setSeconds(10)
  assert.equal((await node.get('720p.m3u8')).status, 200)

  node.apply({
    ...feed[0]!,
    version: 9,
    kind: 'whole',
    epoch: 1,
    channel: aChannel({ outputs: [] }),
    timeline: { version: 1, runs: [] },
  })
  node.apply(...feed)

  assert.equal(codeOf((await node.get('720p.m3u8')).text), 'playout.not_found')
})

test('other methods are rejected, and CORS preflight is allowed', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  const preflight = { origin: 'https://player.example', 'access-control-request-method': 'GET' }

  const rejected = await got(node.addressOf('720p.m3u8'), 'POST')
  const preflighted = await fetch(node.addressOf('720p.m3u8'), { method: 'OPTIONS', headers: preflight })

  assert.deepEqual([rejected.status, codeOf(rejected.text)], [405, 'method.not_allowed'])
  assert.equal(rejected.headers.get('allow'), 'GET, HEAD, OPTIONS')
  assert.equal(preflighted.status, 204)
  assert.equal(preflighted.headers.get('access-control-allow-origin'), '*')
})

test('a closing node ends keep-alive connections with the next response', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(10)
  const before = await node.get('720p.m3u8')

  node.stopListening()
  const after = await node.get('720p.m3u8')

  assert.deepEqual(
    [before, after].map(({ headers }) => headers.get('connection')),
    ['keep-alive', 'close'],
  )
  assert.equal(after.text, before.text)
})

test('a time-shifted viewer gets the playlist of that time', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(7_200)

  const shifted = await node.get('720p.m3u8?sid=a&shift_ms=7100000')
  const again = await node.get('720p.m3u8?shift_ms=7100000&sid=b')

  const expected = printAt(aTimeline(aDay), ORIGIN_MS + 100_000, { windowMs: 32_000 }, noLive)
  assert.equal(shifted.text, expected)
  assert.equal(again.text, expected)
  assert.equal(node.read('playlists_rendered_total'), 1)
})

test('a shift must be in bounds, a multiple of the step, and not before the channel', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(3_600)
  await node.get('720p.m3u8')
  const shifts = ['-10000', '5000', '86410000', '1e4', '', '10000.0', '999999999']

  const rejected = await Promise.all(shifts.map((shift) => node.get(`720p.m3u8?sid=a&shift_ms=${shift}`)))
  const beyond = await node.get('720p.m3u8?shift_ms=86400000')
  const none = await node.get('720p.m3u8?shift_ms=0')

  for (const { status, text } of rejected) assert.deepEqual([status, codeOf(text)], [400, 'shift.invalid'])
  assert.deepEqual([beyond.status, codeOf(beyond.text)], [404, 'shift.out_of_reach'])
  assert.equal(none.text, (await node.get('720p.m3u8')).text)
})

test('each multivariant playlist has its own viewing session', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(3_600)

  const [one, other] = [await node.get('index.m3u8'), await node.get('index.m3u8')]
  const addresses = one.text.split('\n').filter((line) => line.includes('.m3u8'))
  const followed = await Promise.all(addresses.map((address) => node.get(address)))

  assert.equal(one.headers.get('cache-control'), 'no-store')
  assert.notEqual(one.text, other.text)
  assert.deepEqual(
    addresses.map((address) => address.split('?')[0]),
    ['360p.m3u8', '540p.m3u8', '720p.m3u8', '1080p.m3u8'],
  )
  assert.deepEqual(new Set(followed.map(({ status }) => status)), new Set([200]))
  assert.match(
    one.text,
    /BANDWIDTH=1799000,AVERAGE-BANDWIDTH=981000,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360/,
  )
  assert.match(one.text, /CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=30.000/)
})

test('start must be within the last 24 hours', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(3_600)
  const startAt = (seconds: number) => new Date(ORIGIN_MS + seconds * 1_000).toISOString()
  const statusAt = async (start: string) => (await node.get(`index.m3u8?start=${start}`)).status

  const { text } = await node.get(`index.m3u8?start=${startAt(588)}`)

  // 3,012 s ago, rounded down to a step.
  assert.match(text, /\?sid=[0-9a-f-]{36}&shift_ms=3010000\n/)
  assert.equal(await statusAt(startAt(3_600)), 200)
  assert.equal(await statusAt('2026-01-01T02:59:00%2B02:00'), 200)
  assert.equal(await statusAt('2026-01-01T02:59:00+02:00'), 200)
  assert.deepEqual(
    await Promise.all([startAt(3_601), startAt(-82_801), 'now', '', '2026-01-01'].map(statusAt)),
    [400, 400, 400, 400, 400],
  )
  assert.equal(await statusAt(startAt(-100)), 404)
})

test('cached playlists are evicted when they are no longer requested', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(7_200)
  const shifts = Array.from({ length: 300 }, (_, step) => node.pathOf(`360p.m3u8?shift_ms=${step * 10_000}`))
  await requestMany(node.url, shifts)
  const before = [node.read('playlists_cached'), node.read('timelines_unpacked')]

  node.setSeconds(7_230)
  await node.get('360p.m3u8')
  node.setSeconds(7_261)
  node.sweep()

  assert.deepEqual(before, [300, 11])
  assert.deepEqual([node.read('playlists_cached'), node.read('timelines_unpacked')], [1, 1])
})

test('time-shifted viewers do not evict the segment texts of live playlists', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(7_200)
  await node.get('360p.m3u8')
  const figures = () => [node.read('segment_text_characters'), node.read('shifted_segment_text_characters')]
  const [live, none] = figures()

  const shifts = Array.from({ length: 300 }, (_, step) =>
    node.pathOf(`360p.m3u8?shift_ms=${(step + 1) * 10_000}`),
  )
  await requestMany(node.url, shifts)

  const [after, shifted] = figures()
  assert.ok(live! > 0 && none === 0 && shifted! > live!, `${live} ${none} ${shifted}`)
  assert.equal(after, live)
})
