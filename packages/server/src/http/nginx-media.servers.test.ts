import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { startNginx } from '@continuity/dev/nginx'
import type { FastifyInstance } from 'fastify'
import { openDiskStore } from '../platform/media-store/disk-store.ts'
import type { MediaStore } from '../platform/media-store/media-store.ts'
import { createServer } from './create-server.ts'
import { mediaAddresses, serveMedia } from './media-files.ts'
import { rejectOtherMethods } from './methods.ts'
import { serverOptions } from './testing/a-server.ts'
import { aCapturedLog } from './testing/captured-log.ts'

const SEGMENT = randomBytes(700_000)
const FILM = randomBytes(9 * 1024 * 1024 + 11)

test('a segment is fetched once, and then served from the cache', async (t) => {
  const { request, readKeys } = await nginxBeforeMedia(t)

  const first = await request('a/00000.ts')
  const second = await request('a/00000.ts?x=1')
  const head = await request('a/00000.ts', { method: 'HEAD' })

  assert.deepEqual([first.status, first.cache, second.status, second.cache], [200, 'MISS', 200, 'HIT'])
  assert.ok(first.body.equals(SEGMENT) && second.body.equals(SEGMENT))
  assert.deepEqual([head.cache, head.headers.get('content-length')], ['HIT', '700000'])
  assert.equal(second.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(second.headers.get('access-control-allow-origin'), '*')
  assert.equal(second.headers.get('content-type'), 'video/mp2t')
  assert.equal(readKeys().length, 1)
  assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'))
  assert.doesNotMatch(second.headers.get('x-request-id') ?? '', /,/)
})

test('a hundred concurrent requests for an uncached file are one request to the node', async (t) => {
  const { request, readKeys } = await nginxBeforeMedia(t)

  const answers = await Promise.all(Array.from({ length: 100 }, () => request('a/00000.ts')))

  assert.ok(answers.every(({ status, body }) => status === 200 && body.equals(SEGMENT)))
  assert.equal(readKeys().length, 1)
})

test('a range is exact to the byte, also across slices, and fetches only the slices it needs', async (t) => {
  const { request, readKeys } = await nginxBeforeMedia(t)
  const slice = 4 * 1024 * 1024

  for (const [from, last] of [
    [0, 0],
    [slice - 10, slice + 9],
    [FILM.length - 1, FILM.length - 1],
  ] as const) {
    const part = await request('a/film.mp4', { headers: { range: `bytes=${from}-${last}` } })
    assert.equal(part.status, 206)
    assert.equal(part.headers.get('content-range'), `bytes ${from}-${last}/${FILM.length}`)
    assert.ok(part.body.equals(FILM.subarray(from, last + 1)), `${from}`)
  }
  assert.equal(readKeys().length, 3)
  const whole = await request('a/film.mp4')

  assert.ok(whole.body.equals(FILM))
  assert.equal(readKeys().length, 3)
})

test('a conditional request gets 304, and a range beyond the end is rejected', async (t) => {
  const { request } = await nginxBeforeMedia(t)
  const { headers } = await request('a/00000.ts')
  const etag = headers.get('etag') ?? ''

  const unchanged = await request('a/00000.ts', { headers: { 'if-none-match': etag } })
  const outside = await request('a/00000.ts', { headers: { range: 'bytes=700000-' } })

  assert.deepEqual([unchanged.status, unchanged.body.length], [304, 0])
  assert.equal(outside.status, 416)
  assert.match(outside.body.toString(), /"code":"range.outside"/)
  assert.equal(outside.headers.get('content-range'), 'bytes */700000')
})

test('with every node down cached files are served, and other answers are errors that are not cached', async (t) => {
  const { request, stopNodes, startNodes } = await nginxBeforeMedia(t)
  await request('a/00000.ts')
  await stopNodes()

  const cached = await request('a/00000.ts')
  const part = await request('a/00000.ts', { headers: { range: 'bytes=5-9' } })
  const other = await request('a/film.mp4')
  await startNodes()
  const later = await request('a/film.mp4')

  assert.deepEqual([cached.status, cached.cache, cached.body.equals(SEGMENT)], [200, 'HIT', true])
  assert.ok(part.status === 206 && part.body.equals(SEGMENT.subarray(5, 10)))
  assert.equal(other.status, 502)
  assert.match(other.body.toString(), /"code":"gateway.unreachable"/)
  assert.ok(later.status === 200 && later.body.equals(FILM))
})

test('a missing file is requested again, so that it can appear', async (t) => {
  const { request, store } = await nginxBeforeMedia(t)

  const missing = await request('a/00001.ts')
  await store.put('a/00001.ts', { bytes: SEGMENT })
  const found = await request('a/00001.ts')

  assert.deepEqual([missing.status, found.status], [404, 200])
  assert.match(missing.body.toString(), /"code":"media.not_found"/)
})

/** nginx with our shipped configuration in front of two nodes that share a folder. */
async function nginxBeforeMedia(t: TestContext) {
  const opened = new AsyncDisposableStack()
  t.after(() => opened.disposeAsync())
  const folder = await mkdtemp(join(tmpdir(), 'continuity-nginx-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const disk = await mkdtemp(join(tmpdir(), 'continuity-media-'))
  opened.defer(() => rm(disk, { recursive: true, force: true }))
  const store = openDiskStore(disk)
  await store.put('a/00000.ts', { bytes: SEGMENT })
  await store.put('a/film.mp4', { bytes: FILM })

  const [port1, port2, nginxPort] = await findLastingPorts()
  const keys: string[] = []
  const watched: MediaStore = {
    ...store,
    open: async (key, range) => {
      keys.push(key)
      return store.open(key, range)
    },
  }
  let nodes: readonly FastifyInstance[] = []
  const startNodes = async () => {
    nodes = await Promise.all([port1, port2].map((port) => startNode(watched, port)))
  }
  const stopNodes = async () => {
    for (const node of nodes) node.server.closeAllConnections()
    await Promise.all(nodes.map((node) => node.close()))
  }
  await startNodes()
  opened.defer(stopNodes)
  const nginx = await startNginx({
    folder: join(folder, 'nginx'),
    port: nginxPort,
    apiPorts: [port1, port2],
    playoutPorts: [port1, port2],
    keepaliveMs: 1_000,
  })
  opened.defer(() => nginx.stop())

  const request = async (key: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${nginxPort}/media/${key}`, {
      ...init,
      headers: { ...init.headers, connection: 'close' },
    })
    const body = Buffer.from(await answer.arrayBuffer())
    return {
      status: answer.status,
      headers: answer.headers,
      cache: answer.headers.get('x-cache-status'),
      body,
    }
  }
  return { request, store, readKeys: () => keys, startNodes, stopNodes }
}

async function startNode(store: MediaStore, port: number): Promise<FastifyInstance> {
  const log = aCapturedLog()
  const server = createServer(serverOptions(log))
  serveMedia(server, store, log.logger)
  rejectOtherMethods(server, [], mediaAddresses)
  await server.listen({ host: '127.0.0.1', port })
  return server
}
