import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@continuity/contract'
import { Type } from 'typebox'
import { readTraceId } from './request-log.ts'
import { anEndpoint, aRecorder, aServer, listen, put } from './testing/a-server.ts'
import { aToken, credentialHeaders } from './testing/credentials.ts'
import { aRequest, exchange, openSocket } from './testing/wire.ts'

const { listSeries, login, getSeries } = operations
const tryIt = anEndpoint({})

test('a request is one line, with these fields and no others', async (t) => {
  const { server, log } = aServer(t)
  put(server, getSeries, aRecorder(getSeries).handler)
  const port = await listen(server)
  const headers = {
    ...credentialHeaders({ accountId: 'account-7', subjectId: 'user-7' }),
    'x-request-id': 'night-1',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  }

  await exchange(port, aRequest('GET /api/2.1/series/abc?x=1', headers))

  const { ms, time, ...line } = await log.find(({ msg }) => msg === 'request')
  assert.deepEqual(line, {
    level: 'info',
    msg: 'request',
    request_id: 'night-1',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    method: 'GET',
    route: '/api/2.1/series/:series_id',
    path: '/api/2.1/series/abc',
    status: 200,
    account_id: 'account-7',
    subject_id: 'user-7',
  })
  assert.ok(typeof ms === 'number' && ms >= 0)
  assert.equal(typeof time, 'string')
  assert.equal(log.lines().length, 1)
})

test('a client error is logged as a warning', async (t) => {
  const { server, log } = aServer(t)
  const port = await listen(server)

  await exchange(port, aRequest('GET /nothing'))

  const line = await log.find(({ path }) => path === '/nothing')
  assert.equal(line['level'], 'warn')
  assert.equal(line['route'], undefined)
})

test('a long path is truncated in the log', async (t) => {
  const { server, log } = aServer(t)
  const port = await listen(server)

  await exchange(port, aRequest(`GET /${'a'.repeat(10_000)}`))

  const line = await log.find(({ msg }) => msg === 'request')
  assert.equal(String(line['path']).length, 256)
})

/** Secrets of a client that must not be logged. */
const secrets = {
  credential: aToken(),
  device: 'SECRET-device',
  query: 'SECRET-query',
  fragment: 'SECRET-fragment',
  password: 'SECRET-password',
  userInfo: 'SECRET-user-info',
  cookie: 'SECRET-cookie',
  authorization: 'SECRET-authorization',
  key: 'SECRET-key',
}

const secretHeaders = {
  'x-service-auth': secrets.credential,
  'x-service-device': secrets.device,
  cookie: secrets.cookie,
  authorization: secrets.authorization,
  'idempotency-key': secrets.key,
  referer: `https://page.example/?${secrets.query}`,
}

const loginBody = JSON.stringify({ account_name: 'north', email: 'a@b', password: secrets.password })

function post(path: string, body: string, headers: Record<string, string> = {}): string {
  const length = String(Buffer.byteLength(body))
  const fields = {
    ...secretHeaders,
    'content-type': 'application/json',
    'content-length': length,
    ...headers,
  }
  return aRequest(`POST ${path}`, fields, body)
}

const requests: Readonly<Record<string, string>> = {
  'a request that succeeds': post(`/api/2.1/auth/login?token=${secrets.query}`, loginBody),
  'a request that is rejected': aRequest(`GET /api/2.1/series?token=${secrets.query}`, secretHeaders),
  'a parameter out of bounds': aRequest(`GET /api/2.1/series?page_size=${secrets.query}`, secretHeaders),
  'a field out of bounds': post('/api/2.1/auth/login', loginBody.replace('"north"', '5')),
  'an unknown field': post('/api/2.1/auth/login', loginBody.replace('}', ',"x":1}')),
  'a body that is not JSON': post('/api/2.1/auth/login', loginBody.slice(0, -1)),
  'a body of another type': post('/api/2.1/auth/login', loginBody, { 'content-type': 'text/plain' }),
  'an invalid content type': post('/api/2.1/auth/login', loginBody, { 'content-type': secrets.key }),
  'a handler that fails': post(`/api/2.3/fail?token=${secrets.query}`, '{}'),
  'an unknown address': aRequest(`GET /nothing?token=${secrets.query}`, secretHeaders),
  'an address with a fragment': aRequest(`GET /nothing#token=${secrets.fragment}`, secretHeaders),
  'an address in absolute form': aRequest(`GET http://north:${secrets.userInfo}@host/nothing`, secretHeaders),
  'an absolute form without a path': aRequest(`GET http://north:${secrets.userInfo}@host`, secretHeaders),
  'an absolute form of another scheme': aRequest(`GET ftp://north:${secrets.userInfo}@host/x`, secretHeaders),
  'an absolute form that cannot be decoded': aRequest(
    `GET http://n:${secrets.userInfo}@h/%zz`,
    secretHeaders,
  ),
  'an address that cannot be decoded': aRequest(`GET /%zz?token=${secrets.query}`, secretHeaders),
  'a request id with a secret': aRequest('GET /nothing', { 'x-request-id': `id ${secrets.key}` }),
  'a trace with a secret': aRequest('GET /nothing', { traceparent: `00-${secrets.key}` }),
  'a header too large': aRequest('GET /nothing', { ...secretHeaders, 'x-long': 'a'.repeat(17_000) }),
  'an invalid header': `GET /nothing?${secrets.query} HTTP/1.1\r\nhost: x\r\n${secrets.key}\r\n\r\n`,
  'something that is not a request': `${secrets.password}\r\n\r\n`,
}

test('no secret is logged, whatever the outcome of the request', async (t) => {
  const { server, log } = aServer(t)
  put(server, login, aRecorder(login).handler)
  put(server, listSeries, aRecorder(listSeries).handler)
  put(server, anEndpoint({ method: 'POST', path: '/fail', body: Type.Object({}) }), () => {
    throw new Error('the cellar is flooded')
  })
  const port = await listen(server)

  for (const [name, request] of Object.entries(requests)) {
    const answer = await exchange(port, request)
    assert.ok(answer.statusCode >= 200, name)
  }
  await exchange(port, aRequest('GET /last'))
  await log.find(({ path }) => path === '/last')

  assert.ok(log.lines().length > Object.keys(requests).length / 2)
  for (const [name, secret] of Object.entries(secrets)) {
    const leaked = log.lines().filter((line) => JSON.stringify(line).includes(secret))
    assert.deepEqual(leaked, [], name)
  }
})

test('a client that disconnects is logged with 499 and no longer counted as in flight', async (t) => {
  const { server, log, metrics } = aServer(t)
  const called = Promise.withResolvers<void>()
  put(server, tryIt, ({ signal }) => {
    called.resolve()
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))))
  })
  const port = await listen(server)

  const socket = await openSocket(port, aRequest('GET /api/2.3/try'))
  await called.promise
  assert.match(metrics.print(), /^http_requests_in_flight 1$/m)
  socket.destroy()
  const line = await log.find(({ status }) => status === 499)

  // Its handler counts until it has noticed the abort.
  await new Promise(setImmediate)

  assert.equal(line['level'], 'warn')
  assert.equal(line['route'], '/api/2.3/try')
  assert.match(metrics.print(), /^http_requests_in_flight 0$/m)
  assert.match(metrics.print(), /http_requests_total\{route="\/api\/2\.3\/try",method="GET",status="499"\} 1/)
})

test('a client that disconnects during its body is logged with 499, not as an internal error', async (t) => {
  const { server, log } = aServer(t)
  put(server, login, aRecorder(login).handler)
  const port = await listen(server)

  const arrived = new Promise((resolve) => server.server.once('request', resolve))
  const socket = await openSocket(port, post('/api/2.1/auth/login', loginBody, { 'content-length': '5000' }))
  await arrived
  socket.resetAndDestroy()
  await log.find(({ status }) => status === 499)

  assert.deepEqual(
    log.lines().filter(({ level }) => level === 'error'),
    [],
  )
})

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'

test("the caller's trace is kept, of this version and of later ones", () => {
  assert.equal(readTraceId(`00-${trace}-${span}-01`), trace)
  assert.equal(readTraceId(`cc-${trace}-${span}-01-what-the-future-holds`), trace)
})

test('a request without a valid traceparent has no trace id', () => {
  const improper: readonly (string | string[] | undefined)[] = [
    undefined,
    '',
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace.slice(1)}-${span}-01`,
    `00-${trace}-${span}`,
    `00-${trace}-${span}-01x`,
    ` 00-${trace}-${span}-01`,
    `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
    [`00-${trace}-${span}-01`],
  ]

  for (const header of improper) assert.equal(readTraceId(header), undefined, String(header))
})
