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
import { mediaAddresses, serveMedia } from './media-files.ts'
import { refuseOtherMethods } from './methods.ts'
import { aServer, listen } from './testing/a-server.ts'
import { aRequest, assertProblem, exchange, openSocket } from './testing/wire.ts'

const KEY = 'assets/1/2/360p/00000.ts'
const URL_PATH = `/media/${KEY}`
const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))

test('an object comes whole, with all that a cache and a page need', async (t) => {
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

test('HEAD tells the same and sends nothing', async (t) => {
  const { server } = await aMediaServer(t)

  const got = await server.inject({ url: URL_PATH })
  const told = await server.inject({ method: 'HEAD', url: URL_PATH })

  assert.deepEqual(without(told.headers), without(got.headers))
  assert.equal(told.rawPayload.length, 0)
})

test('a range is answered with that range, one beyond the end with 416', async (t) => {
  const { server } = await aMediaServer(t)
  const ask = (range: string) => server.inject({ url: URL_PATH, headers: { range } })

  const part = await ask('bytes=1000-1999')
  const last = await ask('bytes=-5')
  const several = await ask('bytes=0-1,5-6')
  const outside = await ask('bytes=300000-')

  assert.deepEqual([part.statusCode, part.headers['content-range']], [206, 'bytes 1000-1999/300000'])
  assert.ok(part.rawPayload.equals(BYTES.subarray(1_000, 2_000)))
  assert.equal(part.headers['content-length'], '1000')
  assert.ok(last.rawPayload.equals(BYTES.subarray(-5)))
  assert.deepEqual([several.statusCode, several.rawPayload.length], [200, 300_000])
  assertProblem(outside, 416, 'range.outside')
  assert.equal(outside.headers['content-range'], 'bytes */300000')
})

test('a range of another object than the one begun with is answered with the whole', async (t) => {
  const { server } = await aMediaServer(t)
  const { etag, 'last-modified': modified } = (await server.inject({ url: URL_PATH })).headers
  const ask = async (ifRange: string) =>
    (await server.inject({ url: URL_PATH, headers: { range: 'bytes=0-9', 'if-range': ifRange } })).statusCode

  assert.deepEqual(
    [
      await ask(String(etag)),
      await ask(String(modified)),
      await ask('"other"'),
      await ask(`W/${String(etag)}`),
    ],
    [206, 206, 200, 200],
  )
})

test('whoever holds it is told so', async (t) => {
  const { server } = await aMediaServer(t)
  const { etag, 'last-modified': modified } = (await server.inject({ url: URL_PATH })).headers
  const ask = (headers: Record<string, string>) => server.inject({ url: URL_PATH, headers })

  const byTag = await ask({ 'if-none-match': `"x", ${String(etag)}`, range: 'bytes=0-1' })
  const byTime = await ask({ 'if-modified-since': String(modified) })
  const otherTag = await ask({ 'if-none-match': '"x"', 'if-modified-since': String(modified) })

  assert.deepEqual([byTag.statusCode, byTime.statusCode, otherTag.statusCode], [304, 304, 200])
  assert.equal(byTag.rawPayload.length, 0)
  assert.equal(byTag.headers['etag'], etag)
  assert.equal(byTag.headers['content-type'], undefined)
})

test('a page of any origin may ask for ranges', async (t) => {
  const { server } = await aMediaServer(t)
  const headers = {
    origin: 'https://player.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'range',
  }

  const asked = await server.inject({ method: 'OPTIONS', url: URL_PATH, headers })
  const plain = await server.inject({ method: 'OPTIONS', url: URL_PATH })

  assert.equal(asked.statusCode, 204)
  assert.match(String(asked.headers['access-control-allow-headers']), /\bRange\b/)
  assert.deepEqual([plain.statusCode, plain.headers['allow']], [204, 'GET, HEAD, OPTIONS'])
})

test('nothing but an object is ever served, however its address is spelled', async (t) => {
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

test('an object that breaks off, or is shorter than it was, cuts the connection', async (t) => {
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
    await log.find(({ msg }) => msg === 'an object broke off')
  }
})

test('a store that is not there is a problem that passes, and caches keep none of it', async (t) => {
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

test('of what a slow reader does not take, next to nothing is read', async (t) => {
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

  // The kernel's own buffers of a loopback connection are the most of it.
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
  const asked = request({ host: '127.0.0.1', port, path: URL_PATH, agent: false }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return answer
}

async function aMediaServer(t: TestContext, change: (store: MediaStore) => MediaStore = (store) => store) {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-media-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const store = openDiskStore(folder)
  await store.put(KEY, { bytes: BYTES })
  const opened = aServer(t)
  serveMedia(opened.server, change(store), opened.log.logger)
  refuseOtherMethods(opened.server, [], mediaAddresses)
  return opened
}
