import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authHeader, deviceHeaders, operations } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { rejectOtherMethods } from './methods.ts'
import { anEndpoint, aServer, put } from './testing/a-server.ts'

const url = '/api/2.3/try'
const page = 'https://console.north.example'
const otherPage = 'https://elsewhere.example'

const fromPage = (server: FastifyInstance, origin: string, path = url) =>
  server.inject({ url: path, headers: { origin } })

const preflight = (server: FastifyInstance, origin: string) =>
  server.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-service-auth',
    },
  })

test('an API with any origin allowed answers every page the same', async (t) => {
  const { server } = aServer(t, { corsOrigins: ['*'] })
  put(server, anEndpoint({}), () => undefined)

  const { headers } = await fromPage(server, otherPage)

  assert.equal(headers['access-control-allow-origin'], '*')
  assert.equal(headers['vary'], undefined)
  assert.equal(headers['access-control-allow-credentials'], undefined)
})

test('an API with named origins allows only those, and sets Vary', async (t) => {
  const { server } = aServer(t, { corsOrigins: [page] })
  put(server, anEndpoint({}), () => undefined)

  const known = await fromPage(server, page)
  const others = [otherPage, 'null', `${page}.evil.example`, page.toUpperCase(), `${page}/`]

  assert.equal(known.headers['access-control-allow-origin'], page)
  assert.equal(known.headers['vary'], 'Origin')
  for (const origin of others) {
    const { headers } = await fromPage(server, origin)
    assert.equal(headers['access-control-allow-origin'], undefined, origin)
    assert.equal(headers['vary'], 'Origin', origin)
  }
})

test('a caller without an Origin gets no CORS headers', async (t) => {
  const { server } = aServer(t, { corsOrigins: [page] })
  put(server, anEndpoint({}), () => undefined)

  const { headers, statusCode } = await server.inject({ url })

  assert.equal(statusCode, 200)
  assert.equal(headers['access-control-allow-origin'], undefined)
  // The same address has another answer for pages, so a cache has to know.
  assert.equal(headers['vary'], 'Origin')
})

test('a page may read the errors too', async (t) => {
  const { server } = aServer(t, { corsOrigins: [page] })
  put(server, anEndpoint({ access: 'any' }), () => undefined)
  put(server, anEndpoint({ path: '/fail' }), () => {
    throw new Error('x')
  })

  for (const [path, status] of [
    [url, 401],
    ['/nothing', 404],
    ['/api/2.3/fail', 500],
  ] as const) {
    const answer = await fromPage(server, page, path)
    assert.equal(answer.statusCode, status)
    assert.equal(answer.headers['access-control-allow-origin'], page)
    assert.match(String(answer.headers['access-control-expose-headers']), /Retry-After/)
  }
})

test('a preflight is answered for every header and method of the interface, without a credential', async (t) => {
  const { server } = aServer(t, { corsOrigins: [page] })
  put(server, anEndpoint({ access: 'any' }), () => undefined)

  const { statusCode, headers, body } = await preflight(server, page)

  assert.equal(statusCode, 204)
  assert.equal(body, '')
  assert.equal(headers['access-control-allow-origin'], page)
  assert.equal(headers['access-control-max-age'], '7200')
  const allowedHeaders = String(headers['access-control-allow-headers']).toLowerCase().split(', ')
  for (const name of [
    authHeader,
    ...deviceHeaders,
    'content-type',
    'idempotency-key',
    'if-match',
    'last-event-id',
  ]) {
    assert.ok(allowedHeaders.includes(name), name)
  }
  const allowedMethods = String(headers['access-control-allow-methods']).split(', ')
  for (const { method } of Object.values(operations)) assert.ok(allowedMethods.includes(method), method)
})

test('a preflight of another origin is a plain OPTIONS', async (t) => {
  const { server } = aServer(t, { corsOrigins: [page] })
  const e = anEndpoint({})
  put(server, e, () => undefined)
  rejectOtherMethods(server, [e])

  const { statusCode, headers } = await preflight(server, otherPage)

  assert.equal(statusCode, 204)
  assert.equal(headers['allow'], 'GET, HEAD, OPTIONS')
  assert.equal(headers['access-control-allow-origin'], undefined)
  assert.equal(headers['access-control-allow-methods'], undefined)
})
