import assert from 'node:assert/strict'
import { createCipheriv, randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createOutboundClient } from '../../platform/outbound/outbound-client.ts'
import { aServer } from '../../platform/outbound/testing/a-server.ts'
import { openSource, type SourceReaderOptions } from './source-reader.ts'
import type { ReceivedSegment, TrackItem } from './track-reader.ts'

/** A source whose responses the test controls, and a reader of it. */
async function aSource(t: TestContext, files: Record<string, string | Buffer | RequestListener>) {
  const requests: string[] = []
  const server = await aServer((request, response) => {
    const path = (request.url ?? '').slice(1)
    requests.push(`${path}${request.headers.range === undefined ? '' : ` ${request.headers.range}`}`)
    const file = files[path]
    if (file === undefined) response.writeHead(404).end()
    else if (typeof file === 'function') file(request, response)
    else response.end(file)
  })
  t.after(() => server[Symbol.asyncDispose]())
  const outboundClient = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
  t.after(() => outboundClient.close())
  const stop = new AbortController()
  t.after(() => stop.abort())
  const url = `${server.origin}/index.m3u8`
  const options = { outboundClient, url, height: 1_080, signal: stop.signal, onAudioFault() {} }
  return { files, requests, options, reading: readVideo(options), origin: server.origin }
}

async function* readVideo(options: SourceReaderOptions): AsyncGenerator<TrackItem, void> {
  yield* (await openSource(options)).video
}

const playlist = (first: number, ...lines: readonly string[]) =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:1', `#EXT-X-MEDIA-SEQUENCE:${first}`, ...lines].join('\n')

const segments = (...names: readonly string[]) => names.flatMap((name) => ['#EXTINF:1,', name])

const named = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `bytes of ${name}`]))

async function take(reading: AsyncGenerator<TrackItem>, count: number): Promise<ReceivedSegment[]> {
  const taken: ReceivedSegment[] = []
  while (taken.length < count) {
    const { value } = await reading.next()
    taken.push(value as ReceivedSegment)
  }
  return taken
}

const shown = (received: readonly ReceivedSegment[]) =>
  received.map(({ bytes, isBreak }) => `${Buffer.from(bytes).toString()}${isBreak ? ' (break)' : ''}`)

const codeOf = (reading: AsyncGenerator<TrackItem>): Promise<unknown> =>
  reading.next().then(
    () => 'a segment',
    (error: { code?: string }) => error.code,
  )

test('reading starts three segments before the end of the playlist, and continues as it grows', async (t) => {
  const { files, reading, requests } = await aSource(t, {
    'index.m3u8': playlist(5, ...segments('5.ts', '6.ts', '7.ts', '8.ts')),
    ...named(['5.ts', '6.ts', '7.ts', '8.ts', '9.ts', '10.ts']),
  })
  const first = await take(reading, 3)
  files['index.m3u8'] = playlist(8, ...segments('8.ts', '9.ts', '10.ts'))

  const second = await take(reading, 2)

  assert.deepEqual(
    shown([...first, ...second]),
    ['6.ts', '7.ts', '8.ts', '9.ts', '10.ts'].map((it) => `bytes of ${it}`),
  )
  assert.equal(first[0]?.durationMs, 1_000)
  assert.ok(!requests.includes('5.ts'))
  assert.equal(requests.filter((path) => path === '8.ts').length, 1)
})

test('discontinuities, lost segments and restarted sequence numbers are breaks', async (t) => {
  const { files, reading } = await aSource(t, {
    'index.m3u8': playlist(1, ...segments('a'), '#EXT-X-DISCONTINUITY', ...segments('b', 'c')),
    ...named(['a', 'b', 'c', 'd', 'e', 'f']),
  })
  const first = await take(reading, 3)
  files['index.m3u8'] = playlist(9, ...segments('d', 'e'))
  const second = await take(reading, 2)
  files['index.m3u8'] = playlist(0, ...segments('f'))

  const third = await take(reading, 1)

  assert.deepEqual(
    [...first, ...second, ...third].map(({ isBreak }) => isBreak),
    [false, true, false, true, false, true],
  )
})

test('a discontinuity that leaves the window is not a second break', async (t) => {
  const { files, reading } = await aSource(t, {
    'index.m3u8': playlist(1, ...segments('a'), '#EXT-X-DISCONTINUITY', ...segments('b')),
    ...named(['a', 'b', 'c', 'd']),
  })
  const first = await take(reading, 2)
  files['index.m3u8'] = playlist(3, ...segments('c', 'd'))

  const second = await take(reading, 2)

  assert.deepEqual(
    [...first, ...second].map(({ isBreak }) => isBreak),
    [false, true, false, false],
  )
})

test('only the best matching variant is read', async (t) => {
  const { reading, requests } = await aSource(t, {
    'index.m3u8': [
      '#EXTM3U',
      '#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=3840x2160',
      '2160.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=5,RESOLUTION=1920x1080',
      'hd/1080.m3u8',
    ].join('\n'),
    'hd/1080.m3u8': playlist(1, ...segments('a')),
    'hd/a': 'good',
  })

  assert.deepEqual(shown(await take(reading, 1)), ['good'])
  assert.deepEqual(requests.slice(0, 3), ['index.m3u8', 'hd/1080.m3u8', 'hd/a'])
})

test('segments are decrypted with their key and IV, and each key is fetched once', async (t) => {
  const [key, other] = [randomBytes(16), randomBytes(16)]
  const encrypted = (text: string, by: Buffer, iv: string) => {
    const cipher = createCipheriv('aes-128-cbc', by, Buffer.from(iv.padStart(32, '0'), 'hex'))
    return Buffer.concat([cipher.update(text), cipher.final()])
  }
  const { reading, requests } = await aSource(t, {
    'index.m3u8': playlist(
      7,
      '#EXT-X-KEY:METHOD=AES-128,URI="key"',
      ...segments('a', 'b'),
      '#EXT-X-KEY:METHOD=AES-128,URI="other",IV=0xabc',
      ...segments('c'),
    ),
    key,
    other,
    a: encrypted('first', key, '7'),
    b: encrypted('second', key, '8'),
    c: encrypted('third', other, 'abc'),
  })

  assert.deepEqual(shown(await take(reading, 3)), ['first', 'second', 'third'])
  assert.equal(requests.filter((path) => path === 'key').length, 1)
})

test('a key of the wrong length, or one that does not decrypt, is source.key_invalid', async (t) => {
  const index = playlist(1, '#EXT-X-KEY:METHOD=AES-128,URI="key"', ...segments('a'))
  const short = await aSource(t, { 'index.m3u8': index, key: 'short', a: randomBytes(32) })
  const wrong = await aSource(t, { 'index.m3u8': index, key: randomBytes(16), a: randomBytes(31) })

  assert.equal(await codeOf(short.reading), 'source.key_invalid')
  assert.equal(await codeOf(wrong.reading), 'source.key_invalid')
})

test('byte ranges are requested, and cut out if a server sends everything', async (t) => {
  const all = Buffer.from('0123456789abcdef')
  const withRanges: RequestListener = (request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    response.writeHead(206).end(all.subarray(Number(from), Number(to) + 1))
  }
  const index = playlist(
    1,
    '#EXT-X-MAP:URI="all",BYTERANGE="2@0"',
    '#EXTINF:1,',
    '#EXT-X-BYTERANGE:4@2',
    'all',
    '#EXTINF:1,',
    '#EXT-X-BYTERANGE:3',
    'all',
  )
  for (const file of [withRanges, all]) {
    const { reading, requests } = await aSource(t, { 'index.m3u8': index, all: file })

    const received = await take(reading, 2)

    assert.deepEqual(
      received.map(({ bytes, map }) => [map.toString(), Buffer.from(bytes).toString()]),
      [
        ['01', '2345'],
        ['01', '678'],
      ],
    )
    assert.deepEqual(requests.slice(1), ['all bytes=2-5', 'all bytes=0-1', 'all bytes=6-8'])
  }
})

test('a changed EXT-X-MAP is a break', async (t) => {
  const { reading } = await aSource(t, {
    'index.m3u8': playlist(
      1,
      '#EXT-X-MAP:URI="m1"',
      ...segments('a', 'b'),
      '#EXT-X-MAP:URI="m2"',
      ...segments('c'),
    ),
    ...named(['m1', 'm2', 'a', 'b', 'c']),
  })

  const received = await take(reading, 3)

  assert.deepEqual(
    received.map(({ map, isBreak }) => [map.toString(), isBreak]),
    [
      ['bytes of m1', false],
      ['bytes of m1', false],
      ['bytes of m2', true],
    ],
  )
})

/** Fails the first requests, then responds with the content. */
const failing =
  (times: number, fault: RequestListener, content: string): RequestListener =>
  (request, response) => {
    times -= 1
    if (times >= 0) fault(request, response)
    else response.end(content)
  }

const unavailable: RequestListener = (_, response) => response.writeHead(503).end()
const hangUp: RequestListener = (request) => request.socket.destroy()

test('failed requests are retried without loss', async (t) => {
  const { files, reading, requests } = await aSource(t, {
    'index.m3u8': playlist(1, ...segments('a')),
    ...named(['a', 'b', 'c', 'd']),
  })
  await take(reading, 1)
  files['index.m3u8'] = failing(2, unavailable, playlist(1, ...segments('a', 'b')))
  const second = await take(reading, 1)
  files['c'] = failing(2, hangUp, 'bytes of c')
  // Empty, as while its server writes it.
  files['index.m3u8'] = failing(
    1,
    (_, response) => response.end(''),
    playlist(1, ...segments('a', 'b', 'c', 'd')),
  )

  const third = await take(reading, 2)

  assert.deepEqual(shown([...second, ...third]), ['bytes of b', 'bytes of c', 'bytes of d'])
  assert.equal(requests.filter((path) => path === 'c').length, 3)
})

test('an unavailable segment is lost after a target duration, and the next one is read', async (t) => {
  const { files, reading } = await aSource(t, {
    'index.m3u8': playlist(1, ...segments('a')),
    ...named(['a', 'c']),
  })
  await take(reading, 1)
  files['index.m3u8'] = playlist(1, ...segments('a', 'b', 'c'))
  const startMs = performance.now()

  const [lost, next] = [await reading.next(), await reading.next()]

  assert.ok(performance.now() - startMs >= 800)
  assert.deepEqual(lost.value, { kind: 'lost', durationMs: 1_000 })
  assert.deepEqual(shown([next.value as ReceivedSegment]), ['bytes of c'])
})

test('a source that becomes unavailable fails with the code of the last fault', async (t) => {
  const { files, reading } = await aSource(t, {
    'index.m3u8': playlist(1, ...segments('a')),
    ...named(['a']),
  })
  await take(reading, 1)
  files['index.m3u8'] = unavailable
  const playlists = await codeOf(reading)
  const other = await aSource(t, { 'index.m3u8': playlist(1, ...segments('a')), ...named(['a']) })
  await take(other.reading, 1)
  other.files['index.m3u8'] = playlist(1, ...segments('a', 'b', 'c', 'd', 'e', 'f'))
  const items: unknown[] = []
  const code = await (async () => {
    for (;;) {
      const found = await codeOf(other.reading)
      if (found !== 'a segment') return found
      items.push(found)
    }
  })()

  assert.deepEqual([playlists, code], ['source.status', 'source.status'])
  assert.ok(items.length >= 2 && items.length <= 4, `${items.length}`)
})

test('each fault of a source has its own code', async (t) => {
  const media = playlist(1, ...segments('a'))
  const cases: Record<string, Record<string, string | Buffer | RequestListener>> = {
    'source.status': {},
    'source.not_hls': { 'index.m3u8': '<!doctype html><title>Sorry</title>' },
    'source.playlist_invalid': { 'index.m3u8': '#EXTM3U\n#EXTINF:1,\na' },
    'source.not_live': { 'index.m3u8': `${media}\n#EXT-X-ENDLIST` },
    'source.encrypted': {
      'index.m3u8': playlist(1, '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"', ...segments('a')),
    },
    'source.redirects': {
      'index.m3u8': (_, response) => response.writeHead(302, { location: '/index.m3u8' }).end(),
    },
    'source.too_large': { 'index.m3u8': Buffer.alloc(1_000_001, '#') },
    'source.unreachable': { 'index.m3u8': (request) => request.socket.destroy() },
    'source.address_forbidden': {
      'index.m3u8': (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    },
  }
  for (const [code, files] of Object.entries(cases)) {
    const { reading } = await aSource(t, files)
    assert.equal(await codeOf(reading), code)
  }
})

test('a source without new segments is frozen after three target durations', async (t) => {
  const { reading, requests } = await aSource(t, { 'index.m3u8': playlist(1, ...segments('a')), a: 'a' })
  await take(reading, 1)

  assert.equal(await codeOf(reading), 'source.frozen')
  assert.ok(requests.filter((path) => path === 'index.m3u8').length >= 5)
})

test('time spent in the encoder does not count as frozen', async (t) => {
  const { files, reading } = await aSource(t, {
    'index.m3u8': playlist(1, ...segments('a')),
    ...named(['a', 'b']),
  })
  await take(reading, 1)
  await setTimeout(3_100)
  files['index.m3u8'] = playlist(1, ...segments('a', 'b'))

  assert.deepEqual(shown(await take(reading, 1)), ['bytes of b'])
})

test('aborting the signal ends it in any state', async (t) => {
  const server = await aServer(() => {})
  t.after(() => server[Symbol.asyncDispose]())
  const outboundClient = createOutboundClient({ allow: [`127.0.0.1:${server.port}`] })
  t.after(() => outboundClient.close())
  const reason = new Error('enough')
  const stop = new AbortController()
  const url = `${server.origin}/x`
  const next = openSource({ outboundClient, url, height: 1_080, signal: stop.signal, onAudioFault() {} })
  stop.abort(reason)

  await assert.rejects(next, reason)
  await server.left()
})
