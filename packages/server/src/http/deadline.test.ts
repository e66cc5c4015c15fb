import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Call } from './bind.ts'
import { anEndpoint, aServer, listen, put } from './testing/a-server.ts'
import { aRequest, assertProblem, exchange, openSocket } from './testing/wire.ts'

const tryIt = anEndpoint({})
const url = '/api/2.3/try'

test('a handler that never answers times out, and its signal aborts', async (t) => {
  const { server } = aServer(t)
  const given = Promise.withResolvers<AbortSignal>()
  const handler = ({ signal }: Call<typeof tryIt>) => {
    given.resolve(signal)
    return new Promise<undefined>(() => {})
  }
  put(server, tryIt, handler, { deadlineMs: 20 })

  const answer = await server.inject({ url })

  assertProblem(answer, 503, 'server.deadline')
  assert.equal(answer.headers['retry-after'], '1')
  assert.equal((await given.promise).aborted, true)
})

test('a request with a body has the same deadline as one without', async (t) => {
  const { server } = aServer(t)
  const e = anEndpoint({ method: 'POST' })
  put(server, e, () => new Promise(() => {}), { deadlineMs: 20 })

  const answer = await server.inject({ method: 'POST', url, payload: {} })

  assertProblem(answer, 503, 'server.deadline')
})

test('the time that a body takes to arrive does not count', async (t) => {
  const { server } = aServer(t)
  put(server, anEndpoint({ method: 'POST' }), () => undefined, { deadlineMs: 1 })
  const port = await listen(server)
  const headers = { 'content-type': 'application/json', 'content-length': '2' }

  const socket = await openSocket(port, aRequest(`POST ${url}`, headers, '{'))
  const answered = once(socket, 'data')
  await new Promise((resolve) => setTimeout(resolve, 5))
  socket.write('}')

  assert.match(String(await answered), /^HTTP\/1\.1 200 /)
})

test('the result of a handler after its deadline is ignored', async (t) => {
  for (const end of [() => undefined, () => Promise.reject(new Error('too late'))]) {
    const { server, log } = aServer(t)
    const ended = Promise.withResolvers<void>()
    const handler = async ({ signal }: Call<typeof tryIt>) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      await new Promise(setImmediate)
      ended.resolve()
      return end()
    }
    put(server, tryIt, handler, { deadlineMs: 20 })

    const answer = await server.inject({ url })
    await ended.promise
    await new Promise(setImmediate)

    assertProblem(answer, 503, 'server.deadline')
    assert.equal(log.lines().filter(({ msg }) => msg === 'request').length, 1)
  }
})

test('the signal of a handler in time does not abort', async (t) => {
  const { server } = aServer(t)
  const given = Promise.withResolvers<AbortSignal>()
  put(server, tryIt, ({ signal }) => given.resolve(signal) as undefined)
  const port = await listen(server)

  const answer = await exchange(port, aRequest(`GET ${url}`))

  assert.equal(answer.statusCode, 200)
  assert.equal((await given.promise).aborted, false)
})

test('the signal of a handler aborts when its client has gone', async (t) => {
  const { server } = aServer(t)
  const called = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  put(server, tryIt, ({ signal }) => {
    signal.addEventListener('abort', () => aborted.resolve())
    called.resolve()
    return aborted.promise as Promise<undefined>
  })
  const port = await listen(server)

  const socket = await openSocket(port, aRequest(`GET ${url}`))
  await called.promise
  socket.destroy()

  await aborted.promise
})

test('a signal read after the client has gone is aborted', async (t) => {
  const { server, log } = aServer(t)
  const called = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const wasAborted = Promise.withResolvers<boolean>()
  put(server, tryIt, async (call) => {
    called.resolve()
    await gone.promise
    wasAborted.resolve(call.signal.aborted)
    return undefined
  })
  const port = await listen(server)

  const socket = await openSocket(port, aRequest(`GET ${url}`))
  await called.promise
  socket.destroy()
  await log.find(({ status }) => status === 499)
  gone.resolve()

  assert.equal(await wasAborted.promise, true)
})

test('the signal of a handler with a body aborts when its client has gone', async (t) => {
  const { server } = aServer(t)
  const called = Promise.withResolvers<AbortSignal>()
  const aborted = Promise.withResolvers<void>()
  put(server, anEndpoint({ method: 'POST' }), ({ signal }) => {
    called.resolve(signal)
    signal.addEventListener('abort', () => aborted.resolve())
    return aborted.promise as Promise<undefined>
  })
  const port = await listen(server)
  const headers = { 'content-type': 'application/json', 'content-length': '2' }

  const socket = await openSocket(port, aRequest(`POST ${url}`, headers, '{}'))
  const signal = await called.promise
  assert.equal(signal.aborted, false)
  socket.destroy()

  await aborted.promise
})
