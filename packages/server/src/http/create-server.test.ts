import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { AppError, defineError } from '../platform/errors.ts'
import { anEndpoint, aServer, listen, put } from './testing/a-server.ts'
import { aRequest, assertProblem, exchange, openSocket } from './testing/wire.ts'

const tryIt = anEndpoint({})
const url = '/api/2.3/try'

test('an unknown address gets 404, without its query', async (t) => {
  const { server } = aServer(t)

  const answer = await server.inject({
    method: 'POST',
    url: '/api/2.1/nothing?key=s3cret',
    payload: { a: 1 },
  })

  const problem = assertProblem(answer, 404, 'route.not_found')
  assert.equal(problem.title, 'There is nothing at this address')
  assert.equal(problem.detail, 'There is nothing at /api/2.1/nothing. The reference is at /docs.')
  assert.equal(problem.instance, '/api/2.1/nothing')
  assert.equal(problem.errors, undefined)
})

test('an unknown version gets 404 with the known ones', async (t) => {
  const { server } = aServer(t)

  for (const version of ['2.2', '2', 'v2.1', '2.10', '3']) {
    const answer = await server.inject({ url: `/api/${version}/videos` })
    const problem = assertProblem(answer, 404, 'version.unknown')
    assert.equal(problem.detail, `There is no version ${version}; there are 2.1 and 2.3.`)
  }
  for (const path of ['/', '/api', '/api/', '/api/2.1', '/api/2.3/', `/api/${'9'.repeat(40)}/x`]) {
    assertProblem(await server.inject({ url: path }), 404, 'route.not_found')
  }
})

test('an address that cannot be decoded, or is longer than any id, is malformed', async (t) => {
  const { server } = aServer(t)
  put(server, anEndpoint({ path: '/try/{id}' }), () => undefined)
  const port = await listen(server)

  for (const path of ['/%zz', '/%', '/%c0%af', '/api/2.3/try/%ff', `/api/2.3/try/${'a'.repeat(2_049)}`]) {
    const problem = assertProblem(await exchange(port, aRequest(`GET ${path}?a=b`)), 400, 'request.malformed')
    assert.equal(problem.instance, path)
  }
})

test('the instance of a problem is the path only, without scheme, user and host', async (t) => {
  const { server } = aServer(t)
  const port = await listen(server)

  const answer = await exchange(port, aRequest('GET http://user:s3cret@continuity.example/nothing?x=1'))

  const problem = assertProblem(answer, 404, 'route.not_found')
  assert.equal(problem.instance, '/nothing')
  assert.doesNotMatch(answer.body, /s3cret/)
})

test('a client that sends too much gets the error response and keeps its connection', async (t) => {
  const { server } = aServer(t)
  put(server, anEndpoint({ method: 'POST', bodyLimit: 1_000 }), () => undefined)
  const port = await listen(server)
  const send = (length: number) =>
    aRequest(
      `POST ${url}`,
      { connection: 'keep-alive', 'content-length': String(length) },
      'x'.repeat(length),
    )

  const socket = await openSocket(port, send(5_000_000))
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString()
  })
  await once(socket, 'data')
  socket.write(aRequest('GET /nothing'))
  await once(socket, 'close')

  assert.match(received, /^HTTP\/1\.1 413 /)
  assert.match(received, /HTTP\/1\.1 404 /)
})

test('a header that is too large is rejected on the socket itself', async (t) => {
  const { server } = aServer(t)
  const port = await listen(server)

  const answer = await exchange(port, aRequest('GET /', { 'x-long': 'a'.repeat(17_000) }))

  const problem = assertProblem(answer, 431, 'header.too_large')
  assert.equal(problem.detail, 'The header may have 16384 bytes at most.')
  assert.equal(answer.headers['connection'], 'close')
})

test('a request that is not HTTP is rejected on the socket, and the server continues', async (t) => {
  const { server } = aServer(t)
  put(server, tryIt, () => undefined)
  const port = await listen(server)

  for (const bytes of [
    'hello\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000',
    'GET / HTTP/9.9\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'FETCH /api/2.1/videos HTTP/1.1\r\nhost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\nx: a\r\n b\r\n\r\n',
  ]) {
    assertProblem(await exchange(port, bytes), 400, 'request.malformed')
  }
  assert.equal((await exchange(port, aRequest(`GET ${url}`))).statusCode, 200)
})

test('a request without a Host header is rejected with a problem', async (t) => {
  const { server } = aServer(t)
  put(server, tryIt, () => undefined)
  const port = await listen(server)

  const bare = await exchange(port, `GET ${url} HTTP/1.1\r\nconnection: close\r\n\r\n`)
  const old = await exchange(port, `GET ${url} HTTP/1.0\r\n\r\n`)

  assertProblem(bare, 400, 'request.malformed')
  assert.equal(old.statusCode, 200)
})

test('a header that does not arrive in time is rejected, and its socket is closed', async (t) => {
  const { server } = aServer(t)
  const waitBriefly = { connectionsCheckingInterval: 10, headersTimeout: 20, requestTimeout: 40 }
  Object.assign(server.server, waitBriefly)
  const port = await listen(server)
  const accepted = once(server.server, 'connection')
  // A client that never closes its own half would keep the socket open.
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.write('GET / HTTP/1.1\r\nhost: x\r\n')

  const chunks: Buffer[] = []
  client.on('data', (chunk) => chunks.push(chunk))
  const [socket] = (await accepted) as [NodeJS.EventEmitter]
  await once(socket, 'close')
  await once(client, 'end')
  client.destroy()

  const text = Buffer.concat(chunks).toString()
  assert.match(text, /^HTTP\/1\.1 408 /)
  assert.match(text, /"code":"request\.timeout"/)
})

test('invalid bytes after a complete request do not affect its answer', async (t) => {
  const { server } = aServer(t)
  const called = Promise.withResolvers<void>()
  const broken = Promise.withResolvers<void>()
  server.server.on('clientError', () => broken.resolve())
  put(server, tryIt, () => {
    called.resolve()
    return broken.promise as Promise<undefined>
  })
  const port = await listen(server)

  const socket = await openSocket(port, aRequest(`GET ${url}`, { connection: 'keep-alive' }))
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await called.promise
  socket.write('garbage\r\n\r\n')
  await once(socket, 'close')

  const text = Buffer.concat(chunks).toString()
  assert.match(text, /^HTTP\/1\.1 200 /)
  assert.doesNotMatch(text, /HTTP\/1\.1 400/)
})

test('an error thrown by a handler is an internal error, with details only in the log', async (t) => {
  const { server, log } = aServer(t)
  put(server, tryIt, () => {
    throw new Error('the cellar is flooded', { cause: new Error('rain') })
  })

  const answer = await server.inject({ url })

  const problem = assertProblem(answer, 500, 'internal.error')
  assert.equal(problem.detail, 'Something failed on our side. Name the request_id when you report it.')
  assert.doesNotMatch(answer.body, /cellar|rain|at /)
  const line = await log.find(({ msg }) => msg === 'request failed')
  const { message, stack, cause } = line['err'] as {
    message: string
    stack: string
    cause: { message: string }
  }
  assert.equal(line['level'], 'error')
  assert.equal(line['request_id'], problem.request_id)
  assert.match(message, /the cellar is flooded/)
  assert.match(stack, /create-server\.test\.ts/)
  assert.equal(cause.message, 'rain')
})

test('a handler may throw any value', async (t) => {
  const anything = [
    undefined,
    null,
    'text',
    0,
    Object.create(null),
    new TypeError('x'),
    // An error of an upstream client is not an error of our own client.
    Object.assign(new Error('upstream'), { statusCode: 404 }),
    Object.assign(new Error('upstream'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' }),
  ]
  for (const thrown of anything) {
    const { server, log } = aServer(t)
    put(server, tryIt, async () => {
      throw thrown
    })

    const port = await listen(server)

    assertProblem(await exchange(port, aRequest(`GET ${url}`)), 500, 'internal.error')
    await log.find(({ level, status }) => level === 'error' && status === 500)
  }
})

test('an AppError keeps its detail, and its cause is logged when the status is 5xx', async (t) => {
  const { server, log } = aServer(t)
  const Flooded = defineError(
    'cellar.flooded',
    503,
    'The cellar is flooded',
    () => 'Come back when it is dry.',
  )
  put(server, anEndpoint({ errors: { [Flooded.code]: 503 } }), () => {
    throw new AppError(Flooded, 'Come back when it is dry.', {
      cause: new Error('rain'),
      retryAfterSeconds: 30,
    })
  })

  const answer = await server.inject({ url })

  const problem = assertProblem(answer, 503, 'cellar.flooded')
  assert.equal(problem.detail, 'Come back when it is dry.')
  assert.equal(answer.headers['retry-after'], '30')
  assert.match(JSON.stringify(await log.find(({ msg }) => msg === 'request failed')), /rain/)
})

test('an error that its operation does not declare is a fault of ours where answers are checked', async (t) => {
  const Flooded = defineError(
    'cellar.flooded',
    409,
    'The cellar is flooded',
    () => 'Come back when it is dry.',
  )
  const answerOf = async (checkAnswers: boolean) => {
    const { server, log } = aServer(t)
    const flood = () => {
      throw Flooded()
    }
    put(server, tryIt, flood, { checkAnswers })
    return { log, answer: await server.inject({ url }) }
  }

  const { answer, log } = await answerOf(true)

  assertProblem(answer, 500, 'internal.error')
  assert.match(
    JSON.stringify(await log.find(({ msg }) => msg === 'request failed')),
    /tryIt does not declare cellar\.flooded/,
  )
  assertProblem((await answerOf(false)).answer, 409, 'cellar.flooded')
})

test('a problem is neither cached nor content-sniffed', async (t) => {
  const { server } = aServer(t)

  const { headers } = await server.inject({ url: '/nothing' })

  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['x-content-type-options'], 'nosniff')
})

test('a valid request id of the caller is kept', async (t) => {
  const { server, log } = aServer(t)

  for (const id of ['a', 'night-4.2_x', 'A'.repeat(64)]) {
    const answer = await server.inject({ url: '/nothing', headers: { 'x-request-id': id } })
    assert.equal(answer.headers['x-request-id'], id)
    assert.equal(assertProblem(answer, 404, 'route.not_found').request_id, id)
    await log.find((line) => line['request_id'] === id)
  }
})

test('an invalid request id of the caller is replaced', async (t) => {
  const { server, log } = aServer(t)
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

  for (const id of ['', 'a b', 'a"b', '<b>', "'; drop", 'é', 'a'.repeat(65), '../x', 'a,a']) {
    const answer = await server.inject({ url: '/nothing', headers: { 'x-request-id': id } })
    const given = String(answer.headers['x-request-id'])
    assert.match(given, uuid)
    assert.equal(assertProblem(answer, 404, 'route.not_found').request_id, given)
    await log.find((line) => line['request_id'] === given)
  }
})

test('request ids are unique', async (t) => {
  const { server } = aServer(t)
  const idOf = async (from: FastifyInstance) =>
    (await from.inject({ url: '/nothing' })).headers['x-request-id']

  assert.notEqual(await idOf(server), await idOf(server))
})

test('answerFirst runs before the framework, which handles what it does not answer', async (t) => {
  const { server } = aServer(t, {
    answerFirst: (request, response) => {
      if (request.url !== '/first') return false
      response.end('mine')
      return true
    },
  })
  const address = `http://127.0.0.1:${await listen(server)}`

  const [mine, other] = await Promise.all([fetch(`${address}/first`), fetch(`${address}/other`)])

  assert.deepEqual([mine.status, await mine.text()], [200, 'mine'])
  assert.equal(mine.headers.get('x-request-id'), null)
  assert.equal(other.status, 404)
})
