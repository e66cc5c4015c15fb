import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { openDiskStore } from '../platform/media-store/disk-store.ts'
import type { MediaStore } from '../platform/media-store/media-store.ts'
import { StoreUnavailable } from '../platform/media-store/store-unavailable.ts'
import { mediaAddresses, readRange, serveMedia } from './media-files.ts'
import { rejectOtherMethods } from './methods.ts'
import { aServer, listen } from './testing/a-server.ts'
import { aRequest, assertProblem, exchange, openSocket } from './testing/wire.ts'

const KEY = 'assets/1/2/360p/00000.ts'
const URL_PATH = `/media/${KEY}`
const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))

test('an object is served completely, with its cache and CORS headers', async (t) => {
  const { server } = await aMediaServer(t)

  const answer = await server.inject({ url: URL_PATH })
  const { 'last-modified': modified, etag, 'x-request-id': _id, date: _date, ...headers } = answer.headers

  assert.equal(answer.statusCode, 200)
  assert.ok(answer.rawPayload.equals(BYTES))
  assert.deepEqual(headers, {
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, X-Request-Id',
    'cache-control': 'public, max-age=31536000, immutable',
    connection: 'keep-alive',
    'content-length': '300000',
    'content-type': 'video/mp2t',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  })
  assert.match(String(etag), /^"[0-9a-f-]+"$/)
  assert.ok(Math.abs(Date.parse(String(modified)) - Date.now()) < 60_000)
})

test('HEAD has the same headers and no body', async (t) => {
  const { server } = await aMediaServer(t)

  const got = await server.inject({ url: URL_PATH })
  const headed = await server.inject({ method: 'HEAD', url: URL_PATH })

  assert.deepEqual(without(headed.headers), without(got.headers))
  assert.equal(headed.rawPayload.length, 0)
})

test('a range gets 206, one beyond the end gets 416', async (t) => {
  const { server } = await aMediaServer(t)
  const send = (range: string) => server.inject({ url: URL_PATH, headers: { range } })

  const part = await send('bytes=1000-1999')
  const last = await send('bytes=-5')
  const several = await send('bytes=0-1,5-6')
  const outside = await send('bytes=300000-')

  assert.deepEqual([part.statusCode, part.headers['content-range']], [206, 'bytes 1000-1999/300000'])
  assert.ok(part.rawPayload.equals(BYTES.subarray(1_000, 2_000)))
  assert.equal(part.headers['content-length'], '1000')
  assert.ok(last.rawPayload.equals(BYTES.subarray(-5)))
  assert.deepEqual([several.statusCode, several.rawPayload.length], [200, 300_000])
  assertProblem(outside, 416, 'range.outside')
  assert.equal(outside.headers['content-range'], 'bytes */300000')
})

test('a range with an outdated If-Range gets the whole object', async (t) => {
  const { server } = await aMediaServer(t)
  const { etag, 'last-modified': modified } = (await server.inject({ url: URL_PATH })).headers
  const send = async (ifRange: string) =>
    (await server.inject({ url: URL_PATH, headers: { range: 'bytes=0-9', 'if-range': ifRange } })).statusCode

  assert.deepEqual(
    [
      await send(String(etag)),
      await send(String(modified)),
      await send('"other"'),
      await send(`W/${String(etag)}`),
    ],
    [206, 206, 200, 200],
  )
})

test('a conditional request for the current version gets 304', async (t) => {
  const { server } = await aMediaServer(t)
  const { etag, 'last-modified': modified } = (await server.inject({ url: URL_PATH })).headers
  const send = (headers: Record<string, string>) => server.inject({ url: URL_PATH, headers })

  const byTag = await send({ 'if-none-match': `"x", ${String(etag)}`, range: 'bytes=0-1' })
  const byTime = await send({ 'if-modified-since': String(modified) })
  const otherTag = await send({ 'if-none-match': '"x"', 'if-modified-since': String(modified) })

  assert.deepEqual([byTag.statusCode, byTime.statusCode, otherTag.statusCode], [304, 304, 200])
  assert.equal(byTag.rawPayload.length, 0)
  assert.equal(byTag.headers['etag'], etag)
  assert.equal(byTag.headers['content-type'], undefined)
})

test('a page of any origin may request ranges', async (t) => {
  const { server } = await aMediaServer(t)
  const headers = {
    origin: 'https://player.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'range',
  }

  const preflight = await server.inject({ method: 'OPTIONS', url: URL_PATH, headers })
  const plain = await server.inject({ method: 'OPTIONS', url: URL_PATH })

  assert.equal(preflight.statusCode, 204)
  assert.match(String(preflight.headers['access-control-allow-headers']), /\bRange\b/)
  assert.deepEqual([plain.statusCode, plain.headers['allow']], [204, 'GET, HEAD, OPTIONS'])
})

test('only objects are served, however the address is spelled', async (t) => {
  const { server } = await aMediaServer(t)
  const port = await listen(server)

  for (const path of [
    '/media/',
    '/media/assets/1/2/360p',
    '/media/assets/1/2/360p/',
    '/media/assets/1/2/360p/00001.ts',
    '/media/assets/1/2/../2/360p/00000.ts',
    '/media/assets%2F1/2/360p/00000.ts',
    '/media//assets/1/2/360p/00000.ts',
    '/media/../../../../etc/passwd',
    '/media/..%2f..%2f..%2fetc%2fpasswd',
    '/media/.drafts/a.ts',
    '/media/assets/1/2/360p/00000.ts%00',
  ])
    assertProblem(await exchange(port, aRequest(`GET ${path}`)), 404, 'media.not_found')
  const query = await exchange(port, aRequest(`GET ${URL_PATH}?a=../b`))
  assert.equal(query.statusCode, 200)
  assertProblem(await exchange(port, aRequest(`POST ${URL_PATH}`)), 405, 'method.not_allowed')
})

test('an object that fails or is shorter than announced breaks the connection', async (t) => {
  const broken = async function* () {
    yield BYTES.subarray(0, 100_000)
    throw new Error('the disk is gone')
  }
  for (const source of [broken, () => [BYTES.subarray(0, 100_000)]]) {
    const { server, log } = await aMediaServer(t, (store) => ({
      ...store,
      open: async (key) => ({ ...(await store.find(key))!, stream: Readable.from(source()) }),
    }))
    const answer = await get(await listen(server))

    assert.equal(answer.statusCode, 200)
    await assert.rejects(buffer(answer), /aborted/)
    await log.find(({ msg }) => msg === 'media object ended early; closing the connection')
  }
})

test('an unavailable store gets 503, which is not cached', async (t) => {
  const gone = async () => {
    throw new StoreUnavailable('store.unreachable', new Error('no'))
  }
  const { server } = await aMediaServer(t, (store) => ({ ...store, open: gone, find: gone }))

  for (const method of ['GET', 'HEAD'] as const) {
    const answer = await server.inject({ method, url: URL_PATH })
    assert.deepEqual([answer.statusCode, answer.headers['cache-control']], [503, 'no-store'])
    assert.equal(answer.headers['etag'], undefined)
  }
})

test('an object is not read far ahead of a slow reader', async (t) => {
  const CHUNK = Buffer.alloc(64 * 1024)
  const LENGTH = 400 * 1024 * 1024
  let readBytes = 0
  const endless = function* () {
    for (; readBytes < LENGTH; readBytes += CHUNK.length) yield CHUNK
  }
  const stream = Readable.from(endless())
  const { server } = await aMediaServer(t, (store) => ({
    ...store,
    open: async (key) => ({ ...(await store.find(key))!, sizeBytes: LENGTH, stream }),
  }))
  const socket = await openSocket(await listen(server), aRequest(`GET ${URL_PATH}`))
  socket.pause()
  await untilStill(() => readBytes)

  // Most of it is in the kernel buffers of the loopback connection.
  assert.ok(readBytes > 0 && readBytes < 32 * 1024 * 1024, `${readBytes} bytes were read`)
  const closed = once(stream, 'close')
  socket.destroy()
  await closed
})

/** Waits until a number stays the same for many turns of the event loop. */
async function untilStill(read: () => number): Promise<void> {
  for (let still = 0, before = -1; still < 20; ) {
    await new Promise((resolve) => void setTimeout(resolve, 10))
    still = read() === before && before > 0 ? still + 1 : 0
    before = read()
  }
}

const without = ({ 'x-request-id': _id, date: _date, ...headers }: Readonly<Record<string, unknown>>) =>
  headers

async function get(port: number): Promise<IncomingMessage> {
  const preflight = request({ host: '127.0.0.1', port, path: URL_PATH, agent: false }).end()
  const [answer] = (await once(preflight, 'response')) as [IncomingMessage]
  return answer
}

async function aMediaServer(t: TestContext, change: (store: MediaStore) => MediaStore = (store) => store) {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-media-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const store = openDiskStore(folder)
  await store.put(KEY, { bytes: BYTES })
  const opened = aServer(t)
  serveMedia(opened.server, change(store), opened.log.logger)
  rejectOtherMethods(opened.server, [], mediaAddresses)
  return opened
}

const part = (from: number, to: number) => ({ kind: 'part', from, to })

test('a single range is read by RFC 9110', () => {
  const read: readonly (readonly [string, unknown])[] = [
    ['bytes=0-0', part(0, 1)],
    ['bytes=0-99', part(0, 100)],
    ['bytes=40-', part(40, 100)],
    ['bytes=40-1000', part(40, 100)],
    ['bytes=-1', part(99, 100)],
    ['bytes=-1000', part(0, 100)],
    ['Bytes= 5-6 ', part(5, 7)],
  ]
  for (const [header, expected] of read) assert.deepEqual(readRange(header, 100), expected, header)
})

test('a range that starts after the end is outside', () => {
  for (const header of ['bytes=100-', 'bytes=100-200', 'bytes=999999999999999-', 'bytes=-0'])
    assert.deepEqual(readRange(header, 100), { kind: 'outside' }, header)
})

test('anything but a single range is ignored', () => {
  const others = [
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-4',
    'bytes=0-1,3-4',
    'seconds=0-1',
    'bytes=+1-2',
  ]
  for (const header of [undefined, ...others, `bytes=${'9'.repeat(16)}-`])
    assert.deepEqual(readRange(header, 100), { kind: 'whole' }, header)
  assert.deepEqual(readRange('bytes=0-', 0), { kind: 'whole' })
})
