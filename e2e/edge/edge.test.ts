import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anEdge, CHANNEL, MEDIA, MULTIVARIANT, PICTURE, PLAYLIST } from './edge.ts'

/** Longer than a test, so that no result depends on the expiry. */
const LASTING = { ...PLAYLIST, cacheControl: 'max-age=60' }

test('a hundred viewers with sessions of their own are one request to the nodes', async (t) => {
  const { origin, request } = await anEdge(t)
  origin.answerWith(LASTING)

  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) => request(`${MEDIA}?sid=viewer-${at}`)),
  )

  assert.ok(answers.every(({ status, body }) => status === 200 && body === PLAYLIST.body))
  assert.deepEqual(origin.requests, [MEDIA])
  // The id must not be cached with the playlist: it belongs to another request.
  assert.ok(answers.every(({ requestId }) => requestId === 'none'))
})

test('a media playlist is requested again after one second', async (t) => {
  const { origin, request, requestUntil } = await anEdge(t)
  const first = await request(MEDIA)
  origin.answerWith({ ...PLAYLIST, body: 'the next one' })

  const next = await requestUntil(MEDIA, ({ body }) => body !== first.body)

  assert.deepEqual([first.cache, next.cache, next.body], ['MISS', 'EXPIRED', 'the next one'])
  assert.deepEqual(origin.requests, [MEDIA, MEDIA])
})

test('only shift_ms and _HLS_skip are part of the cache key', async (t) => {
  const { origin, request } = await anEdge(t)
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

  for (const query of queries) await request(`${MEDIA}${query}`)

  assert.deepEqual(
    origin.requests.map((url) => url.slice(MEDIA.length)),
    ['', '?shift_ms=10000', '?_HLS_skip=YES', '?shift_ms=10000&_HLS_skip=YES', '?shift_ms=none'],
  )
})

test('CMCD and distributor parameters are not part of the cache key', async (t) => {
  const { origin, request } = await anEdge(t)
  origin.answerWith(LASTING)
  const sid = 'a'.repeat(32)
  const queries = [
    `?sid=${sid}`,
    `?sid=${sid}&CMCD=bl%3D12000%2Cv%3D1`,
    `?CMCD=sta%3Dp%2Cv%3D2&sid=${sid}`,
    '?psid={PSID}&ifa=[IFA]&did=%%DEVICE_ID%%',
    '?ifa=0b1e3f8a-1111-4222-8333-444455556666&ua=$UA&cb=1700000000',
    '?{PSID}',
  ]

  for (const query of queries) {
    const { status, body } = await request(`${MEDIA}${query}`)
    assert.deepEqual([status, body], [200, PLAYLIST.body], query)
  }
  await request(`${MEDIA}?sid=${sid}`, { 'cmcd-status': 'sta=a', 'cmcd-session': 'v=2' })

  assert.deepEqual(origin.requests, [MEDIA])
})

test('the picture on the air is one request to the nodes, and its address is passed on unchanged', async (t) => {
  const { origin, request } = await anEdge(t)
  const location = '/media/assets/film/stills/00007.jpg'
  origin.answerWith({ status: 302, body: '', cacheControl: 'max-age=60', location })

  const wall = await Promise.all(Array.from({ length: 50 }, (_, at) => request(`${PICTURE}?cb=${at}`)))
  await request(`${PICTURE}?shift_ms=10000`)

  assert.ok(wall.every((answer) => answer.status === 302 && answer.location === location))
  assert.deepEqual(origin.requests, [PICTURE, `${PICTURE}?shift_ms=10000`])
})

test('a multivariant playlist is never cached, and its query is passed on unchanged', async (t) => {
  const { origin, request } = await anEdge(t)
  origin.answerWith(LASTING)
  const path = `${MULTIVARIANT}?start=2026-01-01T00:00:00Z`

  const answers = [await request(path), await request(path), await request(MULTIVARIANT)]

  assert.deepEqual(
    answers.map(({ status, cache }) => [status, cache]),
    [
      [200, 'none'],
      [200, 'none'],
      [200, 'none'],
    ],
  )
  assert.deepEqual(origin.requests, [path, path, MULTIVARIANT])
})

test('the log has every playlist request with its viewing session', async (t) => {
  const { origin, request, readLog } = await anEdge(t)
  origin.answerWith(LASTING)

  const sid = 'first_-'.padEnd(32, '0')
  const startMs = Date.now()

  await request(`${MULTIVARIANT}?start=x`)
  const reported = `CMCD=${encodeURIComponent('bl=1200,sid="a-b",v=2')}`
  await request(`${MEDIA}?sid=${sid}&shift_ms=10000&${reported}`, { 'x-country': 'NL' })
  await request(`${MEDIA}?sid=${sid}`, { 'cmcd-status': 'sta=p', 'cmcd-session': 'v=2' }, 'HEAD')
  const lines = await readLog(3)
  const endMs = Date.now()

  const logged = lines.map(({ time: _time, msec: _msec, bytes: _bytes, seconds: _seconds, ...rest }) => rest)
  const plain = {
    method: 'GET',
    status: 200,
    sid: '',
    shift_ms: '',
    cmcd: '',
    cmcd_headers: ',,,',
    country: '',
  }
  const cached = { ...plain, path: MEDIA, sid, cache: 'MISS' }
  assert.deepEqual(logged, [
    { ...plain, path: MULTIVARIANT, cache: '' },
    { ...cached, shift_ms: '10000', cmcd: 'bl%3D1200%2Csid%3D%22a-b%22%2Cv%3D2', country: 'NL' },
    { ...cached, method: 'HEAD', cmcd_headers: ',v=2,sta=p,' },
  ])
  for (const { time, msec, bytes } of lines) {
    const atMs = Math.round(Number(msec) * 1_000)
    assert.ok(Math.abs(Date.parse(String(time)) - atMs) <= 1_000 && Number(bytes) > 0)
    assert.ok(startMs - 1 <= atMs && atMs <= endMs + 1, `${startMs} ${atMs} ${endMs}`)
  }
})

test('the log has no address, advertising id or other value of a query or header', async (t) => {
  const { request, readLog } = await anEdge(t)
  const secret = 'deadbeef'

  await request(`${MULTIVARIANT}?ifa=${secret}&psid={PSID}`)
  await request(`${MEDIA}?ifa=${secret}&sid=${secret}&shift_ms=${secret}`, {
    'x-country': secret,
    'user-agent': secret,
    referer: secret,
    'x-forwarded-for': secret,
    cookie: secret,
  })
  const lines = await readLog(2)

  const text = JSON.stringify(lines)
  assert.equal(lines.length, 2)
  assert.ok(!text.includes(secret) && !text.includes('PSID') && !text.includes('127.0.0.1'), text)
})

test('connections to the nodes are reused', async (t) => {
  const { origin, request } = await anEdge(t)

  for (let at = 0; at < 20; at += 1) {
    await request(`${CHANNEL}/${at}.m3u8`)
    await request(`${MULTIVARIANT}?at=${at}`)
    await request(`/media/${at}.ts`)
  }

  // Each of the two workers has one connection to each of the two nodes.
  assert.equal(origin.requests.length, 60)
  assert.ok(origin.connections() <= 4, `${origin.connections()}`)
})
