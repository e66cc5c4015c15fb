import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aLiveRun, aRun, loops, plays } from '@continuity/core/timeline/testing/a-run'
import { aLog, aView } from '@continuity/core/timeline/testing/a-timeline'
import { aChannel, aFeed, anOutput } from './testing/a-feed.ts'
import { aNode, type TestNode } from './testing/a-node.ts'

/** On air from second 0: slate, 32 s of a film, then slate in segments of 1.6 s. */
const aDay = aRun(
  { startSeconds: -32, shownFromSeconds: 0 },
  loops('lead', 20),
  plays('film', 10),
  loops('fill', 60_000),
)

/** Without following the redirect. */
async function pictureOf(node: TestNode, query = '', distributor?: string, method = 'GET') {
  const address = `${node.addressOf('now.jpg', distributor)}${query}`
  const { status, headers } = await fetch(address, { method, redirect: 'manual' })
  return { status, headers, location: headers.get('location'), caching: headers.get('cache-control') }
}

async function codeOf(node: TestNode, query = '') {
  const { status, text } = await node.get(`now.jpg${query}`)
  return [status, (JSON.parse(text) as { code: string }).code]
}

test('a picture is a redirect to the still of the last listed segment, cacheable until the next one', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  const expected = [
    // At the start the slate before is listed at once; the first segment of the film ends at 3.2 s.
    [0, 'lead/stills/00009.jpg', 'max-age=4'],
    [3.199, 'lead/stills/00009.jpg', 'max-age=1'],
    [3.2, 'film/stills/00000.jpg', 'max-age=4'],
    [4.4, 'film/stills/00000.jpg', 'max-age=2'],
    [32, 'film/stills/00009.jpg', 'max-age=2'],
    [33.6, 'fill/stills/00000.jpg', 'max-age=2'],
  ] as const

  for (const [seconds, key, caching] of expected) {
    node.setSeconds(seconds)
    const picture = await pictureOf(node)
    assert.deepEqual([picture.status, picture.location, picture.caching], [302, `/media/${key}`, caching])
  }
})

test('the response has no body, and pages of any origin may follow it', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(10)

  for (const method of ['GET', 'HEAD']) {
    const { status, headers, location } = await pictureOf(node, '', 'direct', method)
    assert.deepEqual([status, location], [302, '/media/film/stills/00002.jpg'])
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('content-length'), '0')
  }
})

test('a cut of the channel is in the picture at its boundary, on every node', async (t) => {
  const live = aView(aLog([101]))
  const nodes = [await aNode(t, live), await aNode(t, live)]
  // Three segments of the film are shown by 9.6 s, with the numbers 20 to 22.
  const cut = aLiveRun({ number: 2, sequence: 23, startSeconds: 9.6, discontinuity: 2 })
  const seen: (string | null)[][] = []

  for (const node of nodes) {
    node.apply(...aFeed([aDay, cut]))
    seen.push([])
    for (const seconds of [9.6, 12.8, 16, 19.2]) {
      node.setSeconds(seconds)
      seen.at(-1)!.push((await pictureOf(node)).location)
    }
  }

  assert.deepEqual(seen[0], [
    '/media/film/stills/00002.jpg',
    '/media/live/north/stills/00100.jpg',
    // Slot 101 has no media: the fill has five segments.
    '/media/fill/stills/00001.jpg',
    '/media/live/north/stills/00102.jpg',
  ])
  assert.deepEqual(seen[1], seen[0])
})

test('shift_ms is the picture of that long ago', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(100)

  const shifted = await pictureOf(node, '?shift_ms=90000')

  assert.deepEqual([shifted.status, shifted.location], [302, '/media/film/stills/00002.jpg'])
  assert.equal(shifted.caching, 'max-age=3')
  assert.deepEqual(await codeOf(node, '?shift_ms=90001'), [400, 'shift.invalid'])
  assert.deepEqual(await codeOf(node, '?shift_ms=600000'), [404, 'shift.out_of_reach'])
})

test('a delayed output has the picture of its delay ago', async (t) => {
  const node = await aNode(t)
  const outputs = [anOutput(), anOutput({ distributor: 'later', delayMs: 60_000 })]
  node.apply(...aFeed([aDay], aChannel({ outputs })))
  node.setSeconds(100)

  const later = await pictureOf(node, '?shift_ms=30000', 'later')

  assert.deepEqual([later.status, later.location], [302, '/media/film/stills/00002.jpg'])
  assert.equal((await pictureOf(node, '?shift_ms=86400000', 'later')).status, 400)
})

test('there is no picture of a channel off air, nor of an unknown output', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))
  node.setSeconds(-1)
  assert.deepEqual(await codeOf(node), [404, 'channel.offline'])

  node.setSeconds(10)
  assert.equal((await pictureOf(node, '', 'unknown')).status, 404)
  assert.equal((await pictureOf(node, '', 'direct', 'DELETE')).status, 405)
  node.setHasAllChannels(false)
  assert.equal((await pictureOf(node, '', 'unknown')).status, 503)
})

test('a picture whose successor is not planned yet is cacheable for ten seconds', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aRun({ startSeconds: 0, shownFromSeconds: 0 }, plays('film', 5))]))
  node.setSeconds(20)

  const { location, caching } = await pictureOf(node)

  assert.deepEqual([location, caching], ['/media/film/stills/00004.jpg', 'max-age=10'])
})

test('at the boundaries of unpacked parts of a timeline, the next change is known', async (t) => {
  const node = await aNode(t)
  node.apply(...aFeed([aDay]))

  // A part has 300 s. The slate changes every 1.6 s.
  for (let seconds = 40; seconds < 700; seconds += 1.6) {
    node.setSeconds(seconds)
    assert.equal((await pictureOf(node)).caching, 'max-age=2', `${seconds}`)
  }
})
