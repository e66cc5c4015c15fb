import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, operations } from '@continuity/contract'
import { rejectOtherMethods } from './methods.ts'
import { aRecorder, aServer, put, type TestServer } from './testing/a-server.ts'
import { credentialHeaders } from './testing/credentials.ts'
import { assertProblem } from './testing/wire.ts'

const { listSeries, createSeries, getSeries, login, rescueChannels, overrideChannels } = operations

function putAll(server: TestServer['server'], endpoints: readonly Endpoint[]): void {
  for (const e of endpoints) put(server, e, aRecorder(e).handler)
  rejectOtherMethods(server, endpoints)
}

test('a method that is not allowed is rejected with the allowed ones', async (t) => {
  const { server } = aServer(t)
  putAll(server, [listSeries, createSeries, getSeries, login])

  const cases = [
    ['DELETE', '/api/2.1/series', 'GET, POST, HEAD, OPTIONS'],
    ['PUT', '/api/2.1/series/a', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/2.1/auth/login', 'POST, OPTIONS'],
  ] as const
  for (const [method, url, allow] of cases) {
    const answer = await server.inject({ method, url, payload: method === 'GET' ? '' : { a: 1 } })
    const problem = assertProblem(answer, 405, 'method.not_allowed')
    assert.equal(answer.headers['allow'], allow)
    assert.equal(problem.detail, `${method} is not allowed here. Allowed: ${allow}.`)
  }
})

test('HEAD is rejected where GET is', async (t) => {
  const { server } = aServer(t)
  putAll(server, [login])

  const answer = await server.inject({ method: 'HEAD', url: '/api/2.1/auth/login' })

  assert.equal(answer.statusCode, 405)
  assert.equal(answer.headers['allow'], 'POST, OPTIONS')
  assert.equal(answer.body, '')
})

test('OPTIONS returns the allowed methods without a credential', async (t) => {
  const { server } = aServer(t)
  putAll(server, [listSeries, createSeries])

  const answer = await server.inject({ method: 'OPTIONS', url: '/api/2.1/series' })

  assert.equal(answer.statusCode, 204)
  assert.equal(answer.headers['allow'], 'GET, POST, HEAD, OPTIONS')
  assert.equal(answer.body, '')
})

test('HEAD is allowed where GET is, with the same headers and no body', async (t) => {
  const { server } = aServer(t)
  putAll(server, [listSeries])
  const send = (method: 'GET' | 'HEAD') =>
    server.inject({ method, url: '/api/2.1/series', headers: credentialHeaders() })

  const [got, head] = [await send('GET'), await send('HEAD')]

  assert.equal(head.statusCode, 200)
  assert.equal(head.body, '')
  assert.equal(head.headers['content-length'], got.headers['content-length'])
  assert.equal(head.headers['content-type'], got.headers['content-type'])
})

test('a fixed path segment takes precedence over a parameter', async (t) => {
  const { server } = aServer(t)
  const rescue = aRecorder(rescueChannels)
  const override = aRecorder(overrideChannels)
  put(server, overrideChannels, override.handler)
  put(server, rescueChannels, rescue.handler)
  rejectOtherMethods(server, [overrideChannels, rescueChannels])
  const send = (id: string) =>
    server.inject({
      method: 'POST',
      url: `/api/2.3/linear_channels/override/${id}`,
      headers: credentialHeaders(),
      payload: rescueChannels.example.body,
    })

  await send('rescue_slate')
  await send('rescue_slate_2')

  assert.equal(rescue.calls.length, 1)
  assert.equal(override.calls[0]?.params.live_source_id, 'rescue_slate_2')
})
