import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { GuardLimits } from './guarded-client.ts'
import { aGuard, getText, refusalOf } from './testing/a-guard.ts'
import { aServer } from './testing/a-server.ts'

/** What asking a server with these habits ends with. */
async function endOf(
  listener: RequestListener,
  more: { limits?: Partial<GuardLimits>; mostBytes?: number; limitMs?: number } = {},
) {
  await using server = await aServer(listener)
  const { limits = {}, limitMs = 5_000, ...order } = more
  await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`], limits })
  const { code, isFinal } = await refusalOf(
    getText(guard, server.origin, { ...order, signal: AbortSignal.timeout(limitMs) }),
  )
  return { code, isFinal }
}

test('a body that says it is too large is not read', async () => {
  const end = await endOf((_request, reply) => reply.writeHead(200, { 'content-length': 1_001 }).write('a'), {
    mostBytes: 1_000,
  })

  assert.deepEqual(end, { code: 'fetch.too_large', isFinal: true })
})

test('a body that does not say how large it is is read up to the limit', async () => {
  const end = await endOf(
    (_request, reply) => {
      const timer = setInterval(() => reply.write('a'.repeat(1_000)), 1)
      reply.on('close', () => clearInterval(timer))
    },
    { mostBytes: 100_000 },
  )

  assert.deepEqual(end, { code: 'fetch.too_large', isFinal: true })
})

test('an encoded answer is refused, so that a small one cannot grow', async () => {
  const end = await endOf((_request, reply) =>
    reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
  )

  assert.deepEqual(end, { code: 'fetch.encoded', isFinal: true })
})

test('a server that says nothing is given up', async () => {
  const end = await endOf(() => {}, { limits: { headersMs: 100 } })

  assert.deepEqual(end, { code: 'fetch.timeout', isFinal: false })
})

test('headers that come letter by letter are given up at the same time', async () => {
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

test('headers beyond any measure are refused', async () => {
  const end = await endOf(({ socket }) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`))

  assert.deepEqual(end, { code: 'fetch.too_large', isFinal: true })
})

const drip: RequestListener = (_request, reply) => {
  const timer = setInterval(() => reply.write('a'), 10)
  reply.on('close', () => clearInterval(timer))
}

test('a body that only drips is given up after a window', async () => {
  const end = await endOf(drip, { limits: { windowMs: 200, leastBytes: 1_000 } })

  assert.deepEqual(end, { code: 'fetch.too_slow', isFinal: false })
})

test('a body that falls silent is given up after a window', async () => {
  const end = await endOf((_request, reply) => reply.write('a'.repeat(5_000)), {
    limits: { windowMs: 100, leastBytes: 1_000 },
  })

  assert.deepEqual(end, { code: 'fetch.too_slow', isFinal: false })
})

test('no answer takes longer than the whole may', async () => {
  assert.deepEqual(await endOf(drip, { limitMs: 200 }), { code: 'fetch.timeout', isFinal: true })
  assert.deepEqual(await endOf(() => {}, { limitMs: 200 }), { code: 'fetch.timeout', isFinal: true })
})

test('a name service that is silent does not outlast the whole either', async () => {
  await using guard = aGuard({ lookup: () => new Promise(() => {}), limits: { lookupMs: 1_000 } })
  const asked = getText(guard, 'http://media.example/', { signal: AbortSignal.timeout(50) })

  assert.equal((await refusalOf(asked)).code, 'fetch.timeout')
})

test('a server that breaks off or is not there may be tried again', async () => {
  const broken = { code: 'fetch.broken', isFinal: false }

  assert.deepEqual(await endOf(({ socket }) => socket.destroy()), broken)
  assert.deepEqual(
    await endOf((_request, reply) => {
      reply.writeHead(200, { 'content-length': 10 }).write('abc', () => reply.destroy())
    }),
    broken,
  )
  assert.deepEqual(await endOf(({ socket }) => socket.end('nonsense\r\n\r\n')), broken)
  await using guard = aGuard({ allow: ['127.0.0.1:1'] })
  const { code, isFinal, message } = await refusalOf(getText(guard, 'http://127.0.0.1:1/'))
  assert.deepEqual({ code, isFinal }, broken)
  assert.doesNotMatch(message, /ECONN|127/)
})

test('whoever stops a fetch gets their own reason back', async () => {
  const stop = new AbortController()
  await using server = await aServer((_request, reply) => {
    reply.write('a')
    setImmediate(() => stop.abort(new Error('the worker ends')))
  })
  await using guard = aGuard({ allow: [`127.0.0.1:${server.port}`] })

  await assert.rejects(getText(guard, server.origin, { signal: stop.signal }), /the worker ends/)
})
