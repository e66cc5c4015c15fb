import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfRequest, isProblem, type RequestStatus, UnreachableError, watchRequest } from './index.ts'
import { aClient, collect } from './testing/a-client.ts'
import { aRequest } from './testing/a-request.ts'
import { hangUp, inSequence, json, problem, type Script } from './testing/scripted-server.ts'

const status =
  (request: RequestStatus): Script =>
  (_, response) =>
    json(response, 200, request)

/** Records waits, which take no time. */
function recordedWaits() {
  const waits: number[] = []
  const sleep = async (ms: number, signal?: AbortSignal) => {
    waits.push(ms)
    signal?.throwIfAborted()
  }
  return { waits, sleep, random: () => 1 }
}

test('yields every change, and ends when the program is scheduled', async (t) => {
  const course = [
    aRequest(['QUEUED', 'QUEUED']),
    aRequest(['READY', 'FETCHING']),
    aRequest(['READY', 'READY']),
    aRequest(['READY', 'READY'], { state: 'SCHEDULED' }),
  ]
  const { client, server } = await aClient(t, inSequence(...course.map(status)))

  const statuses = await collect(watchRequest(client, 'r-1', recordedWaits()))

  assert.deepEqual(statuses, course)
  assert.equal(server.seenAt('/automation/schedule/r-1').length, 4)
})

test('an unchanged status is yielded once and polled less and less often', async (t) => {
  const still = status(aRequest(['QUEUED']))
  const script = inSequence(
    still,
    still,
    still,
    still,
    still,
    still,
    still,
    status(aRequest(['READY'], { state: 'SCHEDULED' })),
  )
  const { client } = await aClient(t, script)
  const { waits, ...time } = recordedWaits()

  const statuses = await collect(watchRequest(client, 'r-1', time))

  assert.equal(statuses.length, 2)
  assert.deepEqual(waits, [1_000, 1_500, 2_250, 3_375, 5_000, 5_000, 5_000])
})

test('retries while the service is unavailable or busy, and yields the first status after that', async (t) => {
  const still = status(aRequest(['FETCHING']))
  const busy: Script = (_, response) => problem(response, 503, 'server.overloaded', { 'Retry-After': '7' })
  const script = inSequence(still, hangUp, busy, still, status(aRequest(['READY'], { state: 'SCHEDULED' })))
  const { client, server } = await aClient(t, script)
  const { waits, ...time } = recordedWaits()
  const causes: unknown[] = []

  const statuses = await collect(
    watchRequest(client, 'r-1', { ...time, onInterruption: (cause) => void causes.push(cause) }),
  )

  assert.equal(server.seen.length, 5)
  assert.deepEqual(waits, [1_000, 2_000, 9_000, 1_000])
  assert.ok(causes[0] instanceof UnreachableError && isProblem(causes[1], 'server.overloaded'))
  assert.deepEqual(
    statuses.map(({ items }) => items[0]?.state),
    ['FETCHING', 'FETCHING', 'READY'],
  )
})

test('an error response ends the watch', async (t) => {
  const { client } = await aClient(t, (_, response) => problem(response, 404, 'request.not_found'))

  await assert.rejects(collect(watchRequest(client, 'r-1', recordedWaits())), (error) =>
    isProblem(error, 'request.not_found'),
  )
})

test('an aborted watch sends no further requests', async (t) => {
  const { client, server } = await aClient(t, status(aRequest(['QUEUED'])))
  const controller = new AbortController()

  const watching = (async () => {
    for await (const _ of watchRequest(client, 'r-1', { ...recordedWaits(), signal: controller.signal })) {
      controller.abort(new Error('enough'))
    }
  })()

  await assert.rejects(watching, /enough/)
  assert.equal(server.seen.length, 1)
})

test('a request ends by its state alone', () => {
  const ends = [
    [aRequest(['READY', 'PACKAGING']), undefined],
    [aRequest(['READY', 'READY']), undefined],
    [aRequest(['READY', 'FAILED']), undefined],
    [aRequest(['FETCHING'], { state: 'FAILED' }), 'failed'],
    [aRequest(['CANCELLED'], { state: 'REPLACED' }), 'replaced'],
    [aRequest(['READY'], { state: 'CANCELLED' }), 'cancelled'],
    [aRequest(['READY', 'FAILED'], { state: 'SCHEDULED' }), 'scheduled'],
  ] as const
  for (const [request, end] of ends) assert.equal(endOfRequest(request), end)
})
