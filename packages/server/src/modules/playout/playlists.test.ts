import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { msOf } from '@continuity/core/time/ticks'
import { anyHistory, historyView, playHistory } from '@continuity/core/timeline/testing/a-history'
import { aLiveRun, aRun, breaksFor, loops, plays } from '@continuity/core/timeline/testing/a-run'
import { aLog, aTimeline, aView } from '@continuity/core/timeline/testing/a-timeline'
import { printAt } from '@continuity/core/timeline/testing/print-at'
import fc from 'fast-check'
import { aChannel, aFeed, anOutput } from './testing/a-feed.ts'
import { aNode, got } from './testing/a-node.ts'
import { requestMany } from './testing/request-many.ts'

/** On air from second 0: slate, 320 s of a video followed by a break, slate again. */
const aDay = aRun(
  { startSeconds: -32, shownFromSeconds: 0 },
  loops('lead', 20),
  plays('film', 100),
  breaksFor(20),
  loops('fill', 2_000),
)

test('a node serves what core renders, for any history of a channel', async (t) => {
  const outputs = [
    anOutput(),
    anOutput({ distributor: 'wide', windowMs: 120_000, breakPolicy: 'FULL_LENGTH', markers: 'CUE' }),
  ]
  await fc.assert(
    fc.asyncProperty(
      anyHistory,
      fc.array(fc.nat(120_000), { minLength: 3, maxLength: 6 }),
      async (steps, waits) => {
        const node = await aNode(t, historyView)
        const changes = playHistory(steps)
        const feed = aFeed(
          changes.map(({ run }) => run),
          aChannel({ outputs }),
        )
        node.apply(feed[0]!)
        for (const [index, { atMs, after }] of changes.entries()) {
          node.setMs(atMs)
          node.apply(feed[index + 1]!)
          const endMs = changes[index + 1]?.atMs ?? atMs + 200_000
          for (const requestMs of waits
            .map((wait) => Math.min(endMs - 1, atMs + wait))
            .toSorted((a, b) => a - b)) {
            node.setMs(requestMs)
            for (const { distributor, windowMs, breakPolicy: policy, markers } of outputs) {
              const expected = printAt(after, requestMs, { windowMs, policy, markers }, historyView)
              const { status, text } = await node.get('720p.m3u8', distributor)
              assert.deepEqual(status === 200 ? text : status, expected ?? 404)
            }
          }
        }
        assert.deepEqual(node.faults, [])
      },
    ),
    { numRuns: 25 },
  )
})

test('playlists from an unpacked part equal those from the whole timeline', async (t) => {
  const live = aView(aLog([109]))
  for (const [runs, policy] of [
    [aCutBreak, 'FULL_LENGTH'],
    [aSlateAfterLive, 'ACTUAL'],
  ] as const) {
    const node = await aNode(t, live)
    node.apply(...aFeed(runs, aChannel({ outputs: [anOutput({ breakPolicy: policy })] })))
    // Across the boundaries of unpacked parts.
    for (let seconds = 40; seconds < 2_000; seconds += 13.1) {
      node.setSeconds(seconds)
      const requestMs = ORIGIN_MS + Math.round(seconds * 1_000)
      const expected = printAt(aTimeline(...runs), requestMs, { windowMs: 32_000, policy }, live)
      assert.equal((await node.get('720p.m3u8')).text, expected, `${seconds}`)
    }
  }
})

const aStart = aRun({ startSeconds: -32, shownFromSeconds: 0 }, loops('lead', 20), plays('film', 10))

/** A break of half an hour that is cut after a minute, but marked to its planned end. */
const aCutBreak = [
  aRun(
    { startSeconds: -32, shownFromSeconds: 0 },
    loops('lead', 20),
    plays('film', 10),
    breaksFor(1_000),
    loops('fill', 900),
  ),
  aRun({ number: 2, sequence: 70, startSeconds: 96, discontinuity: 9 }, ...someParts()),
]

/** The source fails in its last slot, and the schedule continues with the same slate, without a discontinuity. */
const aSlateAfterLive = [
  aStart,
  aLiveRun({ number: 2, sequence: 30, startSeconds: 32, discontinuity: 2, segments: 10 }),
  aRun(
    { number: 3, sequence: 40, startSeconds: 64, discontinuity: null },
    plays('fill', 3, 5),
    ...someParts(),
  ),
]

function someParts() {
  return Array.from({ length: 60 }, (_, at) => [plays(`film-${at}`, 9), loops('pause', 7)]).flat()
}

test('ten thousand concurrent requests after a change render one playlist', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(100)
  await node.get('720p.m3u8')
  node.setMs(msOf(at(102.4)))

  const texts = await Promise.all(
    Array.from({ length: 100 }, (_, at) => {
      const viewers = Array.from({ length: 100 }, (_, viewer) => `?sid=${at}-${viewer}`)
      return requestMany(
        node.url,
        viewers.map((query) => node.pathOf('720p.m3u8') + query),
      )
    }),
  )

  assert.equal(new Set(texts.flat()).size, 1)
  assert.equal(node.read('playlists_rendered_total'), 2)
  assert.equal(node.read('playlists_served_total'), 10_001)
})

test('a playlist has its content type, cache control and CORS headers', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(60)

  const { status, headers, text } = await node.get('720p.m3u8')
  const head = await got(node.addressOf('720p.m3u8'), 'HEAD')

  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/vnd.apple.mpegurl')
  assert.equal(headers.get('cache-control'), 'max-age=1')
  assert.equal(headers.get('access-control-allow-origin'), '*')
  assert.equal(headers.get('content-length'), String(text.length))
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal(head.headers.get('content-length'), String(text.length))
})

test('a change is in the next response, and a clock that is set back gets the earlier playlist', async (t) => {
  const node = await aNode(t)
  const [snapshot, day] = aFeed([aDay])
  const cut = aRun({ number: 2, sequence: 52, startSeconds: 70.4, discontinuity: 2 }, loops('rescue', 900))
  node.apply(snapshot!, day!)
  node.setSeconds(80)
  const before = await node.get('720p.m3u8')

  node.apply(...aFeed([aDay, cut]).slice(2))
  const after = await node.get('720p.m3u8')
  node.setSeconds(60)
  const earlier = await node.get('720p.m3u8')

  assert.match(after.text, /rescue/)
  assert.doesNotMatch(before.text, /rescue/)
  const expected = printAt(aTimeline(aDay, cut), ORIGIN_MS + 60_000, { windowMs: 32_000 }, historyView)
  assert.equal(earlier.text, expected)
})

test('a delta update skips segments that a player already has', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay], aChannel({ outputs: [anOutput({ windowMs: 300_000 })] })))
  node.setSeconds(290)

  const full = await node.get('720p.m3u8')
  const deltas = await Promise.all(
    ['YES', 'v2'].map((value) => node.get(`720p.m3u8?sid=a&_HLS_skip=${value}`)),
  )

  assert.doesNotMatch(full.text, /EXT-X-SKIP/)
  assert.match(deltas[0]!.text, /#EXT-X-SKIP:SKIPPED-SEGMENTS=\d+/)
  assert.equal(deltas[0]!.text, deltas[1]!.text)
})
