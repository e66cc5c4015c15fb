import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { OutboundLimits } from './outbound-client.ts'
import { aServer } from './testing/a-server.ts'
import { anOutboundClient, getText, outboundErrorOf } from './testing/an-outbound-client.ts'

/** The error of a request to a server with this behaviour. */
async function endOf(
  listener: RequestListener,
  more: { limits?: Partial<OutboundLimits>; mostBytes?: number; limitMs?: number } = {},
) {
  await using server = await aServer(listener)
  const { limits = {}, limitMs = 5_000, ...options } = more
  await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`], limits })
  const { code, isFinal } = await outboundErrorOf(
    getText(client, server.origin, { ...options, signal: AbortSignal.timeout(limitMs) }),
  )
  return { code, isFinal }
}

test('a body whose Content-Length is too large is not read', async () => {
  const end = await endOf((_request, reply) => reply.writeHead(200, { 'content-length': 1_001 }).write('a'), {
    mostBytes: 1_000,
  })

  assert.deepEqual(end, { code: 'fetch.too_large', isFinal: true })
})

test('a body without Content-Length is read up to the limit', async () => {
  const end = await endOf(
    (_request, reply) => {
      const timer = setInterval(() => reply.write('a'.repeat(1_000)), 1)
      reply.on('close', () => clearInterval(timer))
    },
    { mostBytes: 100_000 },
  )

  assert.deepEqual(end, { code: 'fetch.too_large', isFinal: true })
})

test('an encoded answer is rejected, so that a small one cannot expand', async () => {
  const end = await endOf((_request, reply) =>
    reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
  )

  assert.deepEqual(end, { code: 'fetch.encoded', isFinal: true })
})

test('a server that sends nothing times out', async () => {
  const end = await endOf(() => {}, { limits: { headersMs: 100 } })

  assert.deepEqual(end, { code: 'fetch.timeout', isFinal: false })
})

test('headers that arrive byte by byte time out too', async () => {
  const end = await endOf(
    ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ')
      const timer = setInterval(() => socket.write('a'), 20)
      socket.on('close', () => clearInterval(timer))
    },
    { limits: { headersMs: 300 } },
  )

  assert.deepEqual(end, { code: 'fetch.timeout', isFinal: false })
})

test('headers that are too large are rejected', async () => {
  const end = await endOf(({ socket }) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`))

  assert.deepEqual(end, { code: 'fetch.too_large', isFinal: true })
})

const drip: RequestListener = (_request, reply) => {
  const timer = setInterval(() => reply.write('a'), 10)
  reply.on('close', () => clearInterval(timer))
}

test('a body that is too slow is aborted after a window', async () => {
  const end = await endOf(drip, { limits: { windowMs: 200, leastBytes: 1_000 } })

  assert.deepEqual(end, { code: 'fetch.too_slow', isFinal: false })
})

test('a body that stalls is aborted after a window', async () => {
  const end = await endOf((_request, reply) => reply.write('a'.repeat(5_000)), {
    limits: { windowMs: 100, leastBytes: 1_000 },
  })

  assert.deepEqual(end, { code: 'fetch.too_slow', isFinal: false })
})

test('the time limit includes the whole answer', async () => {
  assert.deepEqual(await endOf(drip, { limitMs: 200 }), { code: 'fetch.timeout', isFinal: true })
  assert.deepEqual(await endOf(() => {}, { limitMs: 200 }), { code: 'fetch.timeout', isFinal: true })
})

test('the time limit includes a silent DNS server', async () => {
  await using client = anOutboundClient({ lookup: () => new Promise(() => {}), limits: { lookupMs: 1_000 } })
  const got = getText(client, 'http://media.example/', { signal: AbortSignal.timeout(50) })

  assert.equal((await outboundErrorOf(got)).code, 'fetch.timeout')
})

test('a broken connection and an unreachable server are not final', async () => {
  const broken = { code: 'fetch.broken', isFinal: false }

  assert.deepEqual(await endOf(({ socket }) => socket.destroy()), broken)
  assert.deepEqual(
    await endOf((_request, reply) => {
      reply.writeHead(200, { 'content-length': 10 }).write('abc', () => reply.destroy())
    }),
    broken,
  )
  assert.deepEqual(await endOf(({ socket }) => socket.end('nonsense\r\n\r\n')), broken)
  await using client = anOutboundClient({ allow: ['127.0.0.1:1'] })
  const { code, isFinal, message } = await outboundErrorOf(getText(client, 'http://127.0.0.1:1/'))
  assert.deepEqual({ code, isFinal }, broken)
  assert.doesNotMatch(message, /ECONN|127/)
})

test('an aborted fetch rejects with the reason of its signal', async () => {
  const stop = new AbortController()
  await using server = await aServer((_request, reply) => {
    reply.write('a')
    setImmediate(() => stop.abort(new Error('the worker ends')))
  })
  await using client = anOutboundClient({ allow: [`127.0.0.1:${server.port}`] })

  await assert.rejects(getText(client, server.origin, { signal: stop.signal }), /the worker ends/)
})
