import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfRequest, isProblem, type RequestStatus, UnreachableError, watchRequest } from './index.ts'
import { aClient, collect } from './testing/a-client.ts'
import { aRequest } from './testing/a-request.ts'
import { hangUp, inTurn, json, problem, type Script } from './testing/scripted-server.ts'

const status =
  (request: RequestStatus): Script =>
  (_, response) =>
    json(response, 200, request)

/** Waits that are noted and not waited. */
function noted() {
  const waits: number[] = []
  const sleep = async (ms: number, signal?: AbortSignal) => {
    waits.push(ms)
    signal?.throwIfAborted()
  }
  return { waits, sleep, random: () => 1 }
}

test('every change is told, and the watch ends when all items are ready', async (t) => {
  const course = [
    aRequest(['QUEUED', 'QUEUED']),
    aRequest(['READY', 'FETCHING']),
    aRequest(['READY', 'READY']),
  ]
  const { client, server } = await aClient(t, inTurn(...course.map(status)))

  const told = await collect(watchRequest(client, 'r-1', noted()))

  assert.deepEqual(told, course)
  assert.equal(server.seenAt('/automation/schedule/r-1').length, 3)
})

test('what stands still is told once and asked about less and less', async (t) => {
  const still = status(aRequest(['QUEUED']))
  const script = inTurn(still, still, still, still, still, still, still, status(aRequest(['READY'])))
  const { client } = await aClient(t, script)
  const { waits, ...time } = noted()

  const told = await collect(watchRequest(client, 'r-1', time))

  assert.equal(told.length, 2)
  assert.deepEqual(waits, [1_000, 1_500, 2_250, 3_375, 5_000, 5_000, 5_000])
})

test('a service that is away or busy is asked again, and its return is told', async (t) => {
  const still = status(aRequest(['FETCHING']))
  const busy: Script = (_, response) => problem(response, 503, 'server.overloaded', { 'Retry-After': '7' })
  const script = inTurn(still, hangUp, busy, still, status(aRequest(['READY'])))
  const { client, server } = await aClient(t, script)
  const { waits, ...time } = noted()
  const causes: unknown[] = []

  const told = await collect(
    watchRequest(client, 'r-1', { ...time, onInterruption: (cause) => void causes.push(cause) }),
  )

  assert.equal(server.seen.length, 5)
  assert.deepEqual(waits, [1_000, 2_000, 9_000, 1_000])
  assert.ok(causes[0] instanceof UnreachableError && isProblem(causes[1], 'server.overloaded'))
  assert.deepEqual(
    told.map(({ items }) => items[0]?.state),
    ['FETCHING', 'FETCHING', 'READY'],
  )
})

test('a refusal ends the watch', async (t) => {
  const { client } = await aClient(t, (_, response) => problem(response, 404, 'request.not_found'))

  await assert.rejects(collect(watchRequest(client, 'r-1', noted())), (error) =>
    isProblem(error, 'request.not_found'),
  )
})

test('an aborted watch asks nothing more', async (t) => {
  const { client, server } = await aClient(t, status(aRequest(['QUEUED'])))
  const controller = new AbortController()

  const watching = (async () => {
    for await (const _ of watchRequest(client, 'r-1', { ...noted(), signal: controller.signal })) {
      controller.abort(new Error('enough'))
    }
  })()

  await assert.rejects(watching, /enough/)
  assert.equal(server.seen.length, 1)
})

test('the end is told by the state, or by items none of which moves any more', () => {
  const ends = [
    [aRequest(['READY', 'PACKAGING']), undefined],
    [aRequest(['FAILED', 'QUEUED']), undefined],
    [aRequest(['READY', 'READY']), 'ready'],
    [aRequest(['READY', 'FAILED']), 'failed'],
    [aRequest(['READY', 'CANCELLED']), 'failed'],
    [aRequest(['FETCHING'], { state: 'FAILED' }), 'failed'],
    [aRequest(['CANCELLED'], { state: 'REPLACED' }), 'replaced'],
    [aRequest(['READY', 'FAILED'], { state: 'SCHEDULED' }), 'scheduled'],
  ] as const
  for (const [request, end] of ends) assert.equal(endOfRequest(request), end)
})
