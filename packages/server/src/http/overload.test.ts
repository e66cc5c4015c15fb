import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { serveHealth } from './health.ts'
import { anEndpoint, aServer, listen, put, wideLimits } from './testing/a-server.ts'
import { aRequest, assertProblem, exchange } from './testing/wire.ts'

const url = '/api/2.3/try'

test('one request too many is rejected at once, with Retry-After', async (t) => {
  const { server, metrics } = aServer(t, { limits: { ...wideLimits, requestsInFlight: 2 } })
  serveHealth(server, [], metrics)
  const { called, finish } = putSlow(server, 2)
  const port = await listen(server)
  const send = (path: string) => exchange(port, aRequest(`GET ${path}`))

  const accepted = [send(url), send(url)]
  await called
  const rejected = await send(url)
  const probes = await Promise.all([
    send('/livez'),
    send('/livez?from=balancer'),
    send('/readyz'),
    send('/metrics'),
  ])
  finish()

  assertProblem(rejected, 503, 'server.overloaded')
  assert.equal(rejected.headers['retry-after'], '1')
  assert.deepEqual(
    probes.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200],
  )
  assert.match(probes[3].body, /^http_requests_rejected_total\{reason="requests_in_flight"\} 1$/m)
  for (const { statusCode } of await Promise.all(accepted)) assert.equal(statusCode, 200)
})

test('requests are accepted again when the others have finished', async (t) => {
  const { server, log } = aServer(t, { limits: { ...wideLimits, requestsInFlight: 1 } })
  const { called, finish } = putSlow(server, 1)
  const port = await listen(server)
  const send = (id: string) => exchange(port, aRequest(`GET ${url}`, { 'x-request-id': id }))

  const first = send('first')
  await called
  const rejected = await send('rejected')
  finish()
  await first
  await Promise.all(['first', 'rejected'].map((id) => log.find((line) => line['request_id'] === id)))

  assert.equal(rejected.statusCode, 503)
  assert.equal((await send('later')).statusCode, 200)
})

test('work that continues after its deadline still counts', async (t) => {
  const { server } = aServer(t, { limits: { ...wideLimits, requestsInFlight: 1 } })
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
  put(server, anEndpoint({}), () => released, { deadlineMs: 20 })
  const port = await listen(server)
  const send = () => exchange(port, aRequest(`GET ${url}`))

  assertProblem(await send(), 503, 'server.deadline')
  assertProblem(await send(), 503, 'server.overloaded')
  release(undefined)

  assert.equal((await send()).statusCode, 200)
})

test('requests are rejected while the event loop is delayed, and accepted again afterwards', async (t) => {
  const { server, metrics } = aServer(t, { limits: { ...wideLimits, eventLoopDelayMs: 100 } })
  serveHealth(server, [], metrics)
  put(server, anEndpoint({}), () => undefined)
  const statusOf = async (path: string) => (await server.inject({ url: path })).statusCode
  await server.ready()

  blockEventLoop(400)
  await nextTimers()

  assert.equal(await statusOf('/livez'), 200)
  assertProblem(await server.inject({ url }), 503, 'server.overloaded')
  assert.match(metrics.print(), /^http_requests_rejected_total\{reason="event_loop_delay"\} [1-9]/m)
  while ((await statusOf(url)) !== 200) await nextTimers()
})

test('the delay of the start-up does not reject the first requests', async (t) => {
  const { server } = aServer(t, { limits: { ...wideLimits, eventLoopDelayMs: 100 } })
  put(server, anEndpoint({}), () => undefined)

  blockEventLoop(400)
  await nextTimers()

  assert.equal((await server.inject({ url })).statusCode, 200)
})

/** An operation that waits. `called` resolves when so many requests have reached it. */
function putSlow(server: FastifyInstance, wanted: number): { called: Promise<void>; finish: () => void } {
  const called = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  let count = 0
  put(server, anEndpoint({}), () => {
    count += 1
    if (count === wanted) called.resolve()
    return finished.promise as Promise<undefined>
  })
  return { called: called.promise, finish: finished.resolve }
}

function blockEventLoop(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

/** Lets every due timer run. */
const nextTimers = () => new Promise((resolve) => setTimeout(resolve, 1))
