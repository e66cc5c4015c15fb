import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@continuity/contract'
import { anEndpoint, aRecorder, aServer, put } from './testing/a-server.ts'
import { credentialHeaders } from './testing/credentials.ts'
import { assertProblem } from './testing/wire.ts'

const { activateLiveSource, listLiveSources, changeSeries } = operations
const activate = '/api/2.3/live_sources/source-1/activate'
const tryIt = anEndpoint({})

test('a handler gets the id of its operation, also at an alias', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(listLiveSources)
  put(server, listLiveSources, handler)

  await server.inject({ url: '/api/2.3/live_sources/list', headers: credentialHeaders() })

  assert.equal(calls[0]?.operationId, 'listLiveSources')
})

test('an operation that supports it gets the Idempotency-Key as it was sent', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(activateLiveSource)
  put(server, activateLiveSource, handler)
  const send = (headers: Record<string, string>) =>
    server.inject({ method: 'PUT', url: activate, headers: { ...credentialHeaders(), ...headers } })

  await send({})
  await send({ 'Idempotency-Key': 'key-66' })

  assert.deepEqual(
    calls.map(({ idempotencyKey }) => idempotencyKey),
    [undefined, 'key-66'],
  )
})

test('an invalid Idempotency-Key is rejected, and nothing is executed', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(activateLiveSource)
  put(server, activateLiveSource, handler)

  const headers = { ...credentialHeaders(), 'idempotency-key': 'a b' }
  const answer = await server.inject({ method: 'PUT', url: activate, headers })

  const problem = assertProblem(answer, 400, 'request.invalid')
  assert.equal(problem.errors?.[0]?.pointer, '#header/Idempotency-Key')
  assert.equal(calls.length, 0)
})

test('an operation that does not support the key does not get it', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(listLiveSources)
  put(server, listLiveSources, handler)

  const headers = { ...credentialHeaders(), 'idempotency-key': 'a b' }
  const answer = await server.inject({ url: '/api/2.3/live_sources', headers })

  assert.equal(answer.statusCode, 200)
  assert.equal(calls[0]?.idempotencyKey, undefined)
})

test('a change gets the If-Match header', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(changeSeries)
  put(server, changeSeries, handler)

  await server.inject({
    method: 'PATCH',
    url: '/api/2.1/series/a',
    headers: { ...credentialHeaders(), 'if-match': '"6", "7"' },
    payload: changeSeries.example.body,
  })

  assert.equal(calls[0]?.ifMatch, '"6", "7"')
})

test('the user agent is empty where none was sent and truncated where it is too long', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(tryIt)
  put(server, tryIt, handler)

  for (const agent of ['player/1.0', '', 'x'.repeat(5_000)]) {
    await server.inject({ url: '/api/2.3/try', headers: { 'user-agent': agent } })
  }

  assert.deepEqual(
    calls.map(({ userAgent }) => userAgent),
    ['player/1.0', '', 'x'.repeat(512)],
  )
})

test('a handler can read any header', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(tryIt)
  put(server, tryIt, handler)

  await server.inject({ url: '/api/2.3/try', headers: { 'CDN-Country': 'DE' } })

  assert.equal(calls[0]?.headers['cdn-country'], 'DE')
})
