import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEdge, CHANNEL, MEDIA, MULTIVARIANT } from './edge.ts'
import { PLAYLIST } from './origin.ts'

/** For as long as a test runs, so that none of them hangs on the second. */
const LASTING = { ...PLAYLIST, cacheControl: 'max-age=60' }

test('a hundred viewers with sessions of their own are one question to the nodes', async (t) => {
  const { origin, ask } = await anEdge(t)
  origin.answerWith(LASTING)

  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => ask(`${MEDIA}?sid=viewer-${at}`)))

  assert.ok(answers.every(({ status, body }) => status === 200 && body === PLAYLIST.body))
  assert.deepEqual(origin.asked, [MEDIA])
  // What was kept with the playlist would be the id of another request.
  assert.ok(answers.every(({ requestId }) => requestId === 'none'))
})

test('a media playlist is asked for again after its second', async (t) => {
  const { origin, ask, askUntil } = await anEdge(t)
  const first = await ask(MEDIA)
  origin.answerWith({ ...PLAYLIST, body: 'the next one' })

  const next = await askUntil(MEDIA, ({ body }) => body !== first.body)

  assert.deepEqual([first.cache, next.cache, next.body], ['MISS', 'EXPIRED', 'the next one'])
  assert.deepEqual(origin.asked, [MEDIA, MEDIA])
})

test('shifts and delta updates are kept apart, and nothing else is', async (t) => {
  const { origin, ask } = await anEdge(t)
  origin.answerWith(LASTING)
  const queries = [
    '',
    '?shift_ms=10000',
    '?sid=a&shift_ms=10000',
    '?shift_ms=10000&shift_ms=20000',
    '?SHIFT_MS=10000&other=1',
    '?_HLS_skip=YES',
    '?_HLS_skip=v2&sid=b',
    '?_HLS_skip=YES&shift_ms=10000',
    '?shift_ms=ten',
    '?shift_ms=%0d%0a',
  ]

  for (const query of queries) await ask(`${MEDIA}${query}`)

  assert.deepEqual(
    origin.asked.map((url) => url.slice(MEDIA.length)),
    ['', '?shift_ms=10000', '?_HLS_skip=YES', '?shift_ms=10000&_HLS_skip=YES', '?shift_ms=none'],
  )
})

test('a multivariant playlist is never cached, and its question arrives as it was asked', async (t) => {
  const { origin, ask } = await anEdge(t)
  origin.answerWith(LASTING)
  const asked = `${MULTIVARIANT}?start=2026-01-01T00:00:00Z`

  const answers = [await ask(asked), await ask(asked), await ask(MULTIVARIANT)]

  assert.deepEqual(
    answers.map(({ status, cache }) => [status, cache]),
    [
      [200, 'none'],
      [200, 'none'],
      [200, 'none'],
    ],
  )
  assert.deepEqual(origin.asked, [asked, asked, MULTIVARIANT])
})

test('the log tells of every playlist by whom it was asked for', async (t) => {
  const { origin, ask, readLog } = await anEdge(t)
  origin.answerWith(LASTING)

  await ask(`${MULTIVARIANT}?start=x`)
  await ask(`${MEDIA}?sid=first&shift_ms=10000`, { 'x-country': 'NL' })
  await ask(`${MEDIA}?sid=%22second`, {}, 'HEAD')
  const lines = await readLog(3)

  const told = lines.map(({ sid, path, shift_ms, status, country }) => ({
    sid,
    path,
    shift_ms,
    status,
    country,
  }))
  assert.deepEqual(told, [
    { sid: '', path: MULTIVARIANT, shift_ms: '', status: 200, country: '' },
    { sid: 'first', path: MEDIA, shift_ms: '10000', status: 200, country: 'NL' },
    { sid: '%22second', path: MEDIA, shift_ms: '', status: 200, country: '' },
  ])
  assert.ok(lines.every(({ time, bytes }) => !Number.isNaN(Date.parse(String(time))) && Number(bytes) > 0))
})

test('connections to the nodes are kept', async (t) => {
  const { origin, ask } = await anEdge(t)

  for (let at = 0; at < 20; at += 1) {
    await ask(`${CHANNEL}/${at}.m3u8`)
    await ask(`${MULTIVARIANT}?at=${at}`)
    await ask(`/media/${at}.ts`)
  }

  // Each of the two workers has one to each of the two nodes.
  assert.equal(origin.asked.length, 60)
  assert.ok(origin.connections() <= 4, `${origin.connections()}`)
})
