import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, operations, prefixOf } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { ClockWrong } from '../platform/clock/errors.ts'
import { bind } from './bind.ts'
import { anEndpoint, aRecorder, aServer, bindOptions, listen, put } from './testing/a-server.ts'
import { credentialHeaders } from './testing/credentials.ts'
import { aRequest, assertProblem, exchange } from './testing/wire.ts'

const { endAdBreak, activateLiveSource, listLiveSources, getSeries, deleteSeries, reportAnalytics } =
  operations
const breakEnd = '/api/2.3/live_sources/source-1/adbreak/end'
const activate = '/api/2.3/live_sources/source-1/activate'

test('an operation is served at its path and at its aliases', async (t) => {
  const { server } = aServer(t)
  put(server, listLiveSources, aRecorder(listLiveSources).handler)

  for (const url of ['/api/2.3/live_sources', '/api/2.3/live_sources/list']) {
    const answer = await server.inject({ url, headers: credentialHeaders() })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.deepEqual(answer.json(), listLiveSources.example.answer)
  }
})

test('an id in the path is decoded, once', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(getSeries)
  put(server, getSeries, handler)

  for (const id of ['a%2Fb', 'a%252Fb', 'f%C3%B6hr', 'a+b']) {
    await server.inject({ url: `/api/2.1/series/${id}`, headers: credentialHeaders() })
  }

  assert.deepEqual(
    calls.map(({ params }) => params.series_id),
    ['a/b', 'a%2Fb', 'föhr', 'a+b'],
  )
})

test('an answer without a body is empty', async (t) => {
  const { server } = aServer(t)
  put(server, deleteSeries, () => undefined)

  const answer = await server.inject({
    method: 'DELETE',
    url: '/api/2.1/series/a',
    headers: credentialHeaders(),
  })

  assert.equal(answer.statusCode, 204)
  assert.equal(answer.body, '')
  assert.equal(answer.headers['content-type'], undefined)
})

test('an operation that is not implemented checks the request first', async (t) => {
  const { server } = aServer(t)
  bind(server, operations.login, undefined, bindOptions)
  const send = (payload: object) => server.inject({ method: 'POST', url: '/api/2.1/auth/login', payload })

  assertProblem(await send({}), 400, 'request.invalid')
  const problem = assertProblem(await send(operations.login.example.body), 501, 'operation.not_built')
  assert.match(problem.detail, /^login /)
})

test('an answer that breaks the contract is an internal error, and the log names the fault', async (t) => {
  const { server, log } = aServer(t)
  put(server, getSeries, () => ({ ...getSeries.example.answer, status: 'LOST' }) as never)

  const answer = await server.inject({ url: '/api/2.1/series/a', headers: credentialHeaders() })

  assertProblem(answer, 500, 'internal.error')
  const line = await log.find(({ msg }) => msg === 'request failed')
  assert.match(JSON.stringify(line), /getSeries answered: \/status must be one of DRAFT/)
})

test('an unsupported Accept is rejected before the handler runs', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(reportAnalytics)
  put(server, reportAnalytics, handler)

  const answer = await server.inject({
    url: '/api/2.3/reports/analytics?from=2026-03-01&to=2026-03-01',
    headers: { ...credentialHeaders({ roles: ['SCHEDULE'] }), accept: 'text/html' },
  })

  const problem = assertProblem(answer, 406, 'response.not_acceptable')
  assert.equal(problem.detail, 'Available media types: application/json, text/csv, application/x-ndjson.')
  assert.equal(calls.length, 0)
})

test('the end of an ad break accepts any body of any type', async (t) => {
  const { server } = aServer(t)
  put(server, endAdBreak, aRecorder(endAdBreak).handler)
  const port = await listen(server)
  const types = [
    'application/json',
    'text/plain',
    'nonsense',
    '',
    ';;',
    'a/b; c',
    'multipart/form-data',
    'application/',
  ]

  for (const type of types) {
    for (const body of ['', '{}', 'not json', '\u0000']) {
      const headers = { ...credentialHeaders(), 'content-type': type, 'content-length': String(body.length) }
      const answer = await exchange(port, aRequest(`POST ${breakEnd}`, headers, body))
      assert.equal(answer.statusCode, 200, `${type} ${JSON.stringify(body)} ${answer.body}`)
    }
  }
  const bare = await exchange(port, aRequest(`POST ${breakEnd}`, credentialHeaders()))
  assert.equal(bare.statusCode, 200)
})

test('the end of an ad break accepts a body up to the common limit, without decompressing it', async (t) => {
  const { server } = aServer(t)
  put(server, endAdBreak, aRecorder(endAdBreak).handler)
  const headers = { ...credentialHeaders(), 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const send = (bytes: number) =>
    server.inject({ method: 'POST', url: breakEnd, headers, payload: Buffer.alloc(bytes) })

  assert.equal((await send(1024 * 1024)).statusCode, 200)
  assertProblem(await send(1024 * 1024 + 1), 413, 'body.too_large')
})

test('a command without a body is accepted, also with a JSON content type', async (t) => {
  const { server } = aServer(t)
  put(server, activateLiveSource, aRecorder(activateLiveSource).handler)
  put(server, listLiveSources, aRecorder(listLiveSources).handler)
  const port = await listen(server)
  const json = { ...credentialHeaders(), 'content-type': 'application/json' }

  const requests = {
    'PUT without a length': aRequest(`PUT ${activate}`, json),
    'PUT of no bytes': aRequest(`PUT ${activate}`, { ...json, 'content-length': '0' }),
    'PUT of an empty object': aRequest(`PUT ${activate}`, { ...json, 'content-length': '2' }, '{}'),
    'PUT in no chunks': aRequest(`PUT ${activate}`, { ...json, 'transfer-encoding': 'chunked' }, '0\r\n\r\n'),
    'GET with a type': aRequest('GET /api/2.3/live_sources', json),
    'GET with a body': aRequest('GET /api/2.3/live_sources', { ...json, 'content-length': '3' }, 'abc'),
  }

  for (const [name, request] of Object.entries(requests)) {
    assert.equal((await exchange(port, request)).statusCode, 200, name)
  }
})

test('form bodies are rejected', async (t) => {
  const { server } = aServer(t)
  put(server, operations.login, aRecorder(operations.login).handler)

  for (const type of [
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/xml',
    'x',
  ]) {
    const answer = await server.inject({
      method: 'POST',
      url: '/api/2.1/auth/login',
      headers: { 'content-type': type },
      payload: 'account_name=north',
    })
    assertProblem(answer, 415, 'body.unsupported_type')
  }
})

const limits: readonly (readonly [Endpoint, number])[] = [
  [operations.scheduleProgram, 5 * 1024 * 1024],
  [operations.createSeries, 1024 * 1024],
  [operations.searchVideos, 256 * 1024],
  [operations.login, 16 * 1024],
]

for (const [e, limit] of limits) {
  test(`${e.id} accepts ${limit} bytes and rejects more`, async (t) => {
    const { server } = aServer(t)
    put(server, e, aRecorder(e).handler)
    const send = (bytes: number) => post(server, e, JSON.stringify(e.example.body).padEnd(bytes))

    assert.equal((await send(limit)).statusCode, e.answer.status)
    const problem = assertProblem(await send(limit + 1), 413, 'body.too_large')
    assert.equal(problem.detail, `The body may have ${limit} bytes at most.`)
  })
}

test('a body with a Content-Length that is too large is rejected before it arrives', async (t) => {
  const { server } = aServer(t)
  put(server, operations.login, aRecorder(operations.login).handler)
  const port = await listen(server)
  const headers = { 'content-type': 'application/json', 'content-length': '1000000000' }

  const answer = await exchange(port, aRequest('POST /api/2.1/auth/login', headers))

  assertProblem(answer, 413, 'body.too_large')
})

test('a body of unknown length is rejected as soon as it is too large', async (t) => {
  const { server } = aServer(t)
  put(server, operations.login, aRecorder(operations.login).handler)
  const port = await listen(server)
  const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  const chunk = `4001\r\n${' '.repeat(0x4001)}\r\n`

  const answer = await exchange(port, aRequest('POST /api/2.1/auth/login', headers, chunk))

  assertProblem(answer, 413, 'body.too_large')
})

test('a body shorter than its Content-Length is malformed', async (t) => {
  const { server, log } = aServer(t)
  const { calls, handler } = aRecorder(operations.login)
  put(server, operations.login, handler)
  const port = await listen(server)
  const headers = { 'content-type': 'application/json', 'content-length': '500' }
  const body = JSON.stringify(operations.login.example.body)

  const answer = await exchange(port, aRequest('POST /api/2.1/auth/login', headers, body), { end: true })

  assertProblem(answer, 400, 'request.malformed')
  await log.find(({ route }) => route === '/api/2.1/auth/login')
  assert.equal(calls.length, 0)
})

test('bytes after the Content-Length are not part of the body', async (t) => {
  const { server } = aServer(t)
  put(server, activateLiveSource, aRecorder(activateLiveSource).handler)
  const port = await listen(server)
  const headers = { ...credentialHeaders(), 'content-type': 'application/json', 'content-length': '2' }

  const answer = await exchange(port, aRequest(`PUT ${activate}`, headers, '{}{"a":1}'))

  assert.equal(answer.statusCode, 200)
})

test('two lengths, or a length with chunked encoding, are rejected: a proxy may have parsed them differently', async (t) => {
  const { server } = aServer(t)
  put(server, operations.login, aRecorder(operations.login).handler)
  const port = await listen(server)
  const start = 'POST /api/2.1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'

  for (const lines of [
    'content-length: 2\r\ncontent-length: 3\r\n\r\n{}',
    'content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    'content-length: -2\r\n\r\n{}',
    'content-length: 0x2\r\n\r\n{}',
  ]) {
    assertProblem(await exchange(port, start + lines), 400, 'request.malformed')
  }
})

test('a handler gets only the declared parameters', async (t) => {
  const { server } = aServer(t)
  const e = anEndpoint({ query: Type.Object({ name: Type.Optional(Type.String()) }) })
  const { calls, handler } = aRecorder(e)
  put(server, e, handler)

  await server.inject({ url: '/api/2.3/try?name=a&__proto__=b&constructor=c' })

  assert.deepEqual(Object.keys(calls[0]!.query), ['name'])
})

function post(server: FastifyInstance, e: Endpoint, payload: string) {
  return server.inject({
    method: 'POST',
    url: prefixOf(e.version) + e.path,
    headers: { ...credentialHeaders(), 'content-type': 'application/json' },
    payload,
  })
}

test('while the clock is wrong, requests that write or need a credential get 503', async (t) => {
  const { server } = aServer(t)
  const requireRightClock = () => {
    throw ClockWrong('it is 3600.0 s ahead of PostgreSQL and the broker')
  }
  bind(server, deleteSeries, () => undefined, { ...bindOptions, requireRightClock })
  bind(server, listLiveSources, aRecorder(listLiveSources).handler, { ...bindOptions, requireRightClock })

  // Without a credential: with a wrong clock its expiry cannot be checked.
  const written = await server.inject({ method: 'DELETE', url: '/api/2.1/series/a' })
  const read = await server.inject({ url: '/api/2.3/live_sources', headers: credentialHeaders() })

  assert.equal(written.statusCode, 503)
  assert.equal(written.json<{ code: string }>().code, 'clock.wrong')
  assert.equal(written.headers['retry-after'], '1')
  // An hour fast, it would consider the credential expired, and a client would log out.
  assert.deepEqual([read.statusCode, read.json<{ code: string }>().code], [503, 'clock.wrong'])
})
