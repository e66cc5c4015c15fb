import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { serveHealth } from './health.ts'
import { anEndpoint, aServer, listen, put, wideLimits } from './testing/a-server.ts'
import { aRequest, assertProblem, exchange } from './testing/wire.ts'

const url = '/api/2.3/try'

test('one request too many is refused at once, and told when to come back', async (t) => {
  const { server, metrics } = aServer(t, { limits: { ...wideLimits, requestsInFlight: 2 } })
  serveHealth(server, [], metrics)
  const { asked, finish } = putSlow(server, 2)
  const port = await listen(server)
  const send = (path: string) => exchange(port, aRequest(`GET ${path}`))

  const taken = [send(url), send(url)]
  await asked
  const refused = await send(url)
  const probes = await Promise.all([
    send('/livez'),
    send('/livez?from=balancer'),
    send('/readyz'),
    send('/metrics'),
  ])
  finish()

  assertProblem(refused, 503, 'server.overloaded')
  assert.equal(refused.headers['retry-after'], '1')
  assert.deepEqual(
    probes.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200],
  )
  assert.match(probes[3].body, /^http_requests_refused_total\{reason="requests_in_flight"\} 1$/m)
  for (const { statusCode } of await Promise.all(taken)) assert.equal(statusCode, 200)
})

test('when the others have finished, requests are taken again', async (t) => {
  const { server, log } = aServer(t, { limits: { ...wideLimits, requestsInFlight: 1 } })
  const { asked, finish } = putSlow(server, 1)
  const port = await listen(server)
  const send = (id: string) => exchange(port, aRequest(`GET ${url}`, { 'x-request-id': id }))

  const first = send('first')
  await asked
  const refused = await send('refused')
  finish()
  await first
  await Promise.all(['first', 'refused'].map((id) => log.find((line) => line['request_id'] === id)))

  assert.equal(refused.statusCode, 503)
  assert.equal((await send('later')).statusCode, 200)
})

test('work that goes on after its deadline still counts', async (t) => {
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

test('while the event loop is late requests are refused, and taken again when it has caught up', async (t) => {
  const { server, metrics } = aServer(t, { limits: { ...wideLimits, eventLoopDelayMs: 100 } })
  serveHealth(server, [], metrics)
  put(server, anEndpoint({}), () => undefined)
  const statusOf = async (path: string) => (await server.inject({ url: path })).statusCode
  await server.ready()

  holdEventLoop(400)
  await nextTimers()

  assert.equal(await statusOf('/livez'), 200)
  assertProblem(await server.inject({ url }), 503, 'server.overloaded')
  assert.match(metrics.print(), /^http_requests_refused_total\{reason="event_loop_delay"\} [1-9]/m)
  while ((await statusOf(url)) !== 200) await nextTimers()
})

test('the work of starting up does not refuse the first requests', async (t) => {
  const { server } = aServer(t, { limits: { ...wideLimits, eventLoopDelayMs: 100 } })
  put(server, anEndpoint({}), () => undefined)

  holdEventLoop(400)
  await nextTimers()

  assert.equal((await server.inject({ url })).statusCode, 200)
})

/** An operation that waits. `asked` tells when so many requests have reached it. */
function putSlow(server: FastifyInstance, wanted: number): { asked: Promise<void>; finish: () => void } {
  const asked = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  let count = 0
  put(server, anEndpoint({}), () => {
    count += 1
    if (count === wanted) asked.resolve()
    return finished.promise as Promise<undefined>
  })
  return { asked: asked.promise, finish: finished.resolve }
}

function holdEventLoop(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

/** Lets every timer run that is due. */
const nextTimers = () => new Promise((resolve) => setTimeout(resolve, 1))
