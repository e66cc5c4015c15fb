import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { bundle, Problem } from '@continuity/contract'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { startNginx } from '@continuity/dev/nginx'
import { Ajv } from 'ajv'
import { type RawAnswer, sendRaw } from '../send-raw.ts'

test('readiness and metrics are not served to the outside', async (t) => {
  const { seen, call } = await nginxBefore(t, answerOk)

  const statuses = [
    await call('GET', '/metrics'),
    await call('GET', '/readyz'),
    await call('GET', '/%6detrics?a'),
    await call('GET', '/livez'),
  ].map(({ status }) => status)

  assert.deepEqual(statuses, [404, 404, 404, 200])
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/livez'],
  )
})

test("a client's request id is passed on, an invalid one is replaced", async (t) => {
  const { seen, call } = await nginxBefore(t, answerOk)

  await call('GET', '/', 'north-17')
  await call('GET', '/', 'two words')

  assert.equal(seen[0]!.headers['x-request-id'], 'north-17')
  assert.match(String(seen[1]!.headers['x-request-id']), /^[0-9a-f]{32}$/)
})

test('X-Forwarded-For of a client is replaced', async (t) => {
  const { seen, call } = await nginxBefore(t, answerOk)

  await call('GET', '/', 'a', { 'x-forwarded-for': '203.0.113.9' })

  assert.equal(seen[0]!.headers['x-forwarded-for'], '127.0.0.1')
  assert.equal(seen[0]!.headers['connection'], undefined)
})

test('a GET whose connection breaks is retried with the other process, a POST that was sent is not', async (t) => {
  const { seen, call } = await nginxBefore(t, (request, response) => {
    if (seen.length % 2 === 1) request.socket.destroy()
    else answerOk(request, response)
  })

  const read = await call('GET', '/a')
  const write = await call('POST', '/b')

  assert.deepEqual([read.status, write.status], [200, 502])
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/a', '/a', '/b'],
  )
})

test('a request that nginx rejects itself gets a problem with its request id', async (t) => {
  const { seen, call } = await nginxBefore(t, answerOk)

  const answers = [
    await call('GET', '/metrics', 'north-17'),
    await call('GET', '/continuity-problem', 'north-17'),
    await call('GET', `/${'a'.repeat(17_000)}`, 'north-17'),
    await call('TRACE', '/', 'north-17'),
    await call('POST', '/', 'north-17', { 'content-type': 'application/json' }, ' '.repeat(7 * 1024 * 1024)),
    await call('GET', '/', 'north-17', { 'transfer-encoding': 'chunked', 'content-length': '3' }),
  ]

  assert.deepEqual(answers.map(readProblem), [
    '404 route.not_found',
    '404 route.not_found',
    '431 header.too_large',
    '405 method.not_allowed',
    '413 body.too_large',
    '400 request.malformed',
  ])
  assert.deepEqual(
    // A URI that is too long is rejected before any header is read.
    answers.map(({ headers }) => headers['x-request-id'] === 'north-17'),
    [true, true, false, true, true, true],
  )
  assert.deepEqual(seen, [])
})

test('a header line may have nearly 16 KiB, and a longer one gets a problem', async (t) => {
  const { call } = await nginxBefore(t, answerOk)

  const long = await call('GET', '/', 'a', { 'x-long': 'a'.repeat(15_000) })
  const longer = await call('GET', '/', 'a', { 'x-long': 'a'.repeat(17_000) })

  assert.equal(long.status, 200)
  assert.equal(readProblem(longer), '431 header.too_large')
})

test('characters that JSON cannot contain are not repeated in a problem', async (t) => {
  const { call } = await nginxBefore(t, answerOk)

  const answer = await call('GET', '/metrics?"%22\\', '"},{"\\')

  assert.equal(readProblem(answer), '404 route.not_found')
  assert.match(String(answer.headers['x-request-id']), /^[0-9a-f]{32}$/)
})

test('a broken connection is a 502 problem, and a late answer a 504 problem', async (t) => {
  const { call } = await nginxBefore(
    t,
    (request) => {
      if (request.url === '/broken') request.socket.destroy()
    },
    200,
  )

  const broken = await call('POST', '/broken')
  const late = await call('POST', '/late')

  assert.equal(readProblem(broken), '502 gateway.unreachable')
  assert.equal(broken.headers['retry-after'], '1')
  assert.equal(readProblem(late), '504 gateway.timeout')
  assert.equal(late.headers['retry-after'], undefined)
})

test('an error of the API passes unchanged', async (t) => {
  const { call } = await nginxBefore(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { 'content-type': 'text/plain' }).end('as it is')
  })

  for (const status of [400, 404, 405, 413, 414, 431, 500, 501, 502, 503, 504, 505]) {
    const answer = await call('POST', `/${status}`)

    const type = answer.headers['content-type']
    assert.deepEqual([answer.status, type, answer.body], [status, 'text/plain', 'as it is'])
    assert.equal(answer.headers['retry-after'], undefined)
  }
})

const isProblem = new Ajv({ strict: false }).compile(bundle(Problem))

/** The status and code of an answer, which must be a valid problem. */
function readProblem({ status, headers, body }: RawAnswer): string {
  assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
  const problem: Problem = JSON.parse(body)
  assert.ok(isProblem(problem), JSON.stringify(isProblem.errors))
  assert.equal(problem.status, status)
  assert.equal(problem.type, `/docs#${problem.code}`)
  assert.equal(problem.message, problem.detail)
  assert.equal(problem.request_id, headers['x-request-id'])
  return `${status} ${problem.code}`
}

interface Seen {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** The configuration that we ship, with two stand-ins for the API that record requests. */
async function nginxBefore(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  readTimeoutMs?: number,
) {
  const opened = new AsyncDisposableStack()
  t.after(() => opened.disposeAsync())
  const folder = await mkdtemp(join(tmpdir(), 'continuity-nginx-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o711)
  const [port1, port2, nginxPort] = await findLastingPorts()
  const seen: Seen[] = []
  for (const port of [port1, port2]) {
    const server = createServer((request, response) => {
      seen.push({ url: request.url, headers: request.headers })
      handle(request, response)
    }).listen(port, '127.0.0.1')
    opened.defer(() => {
      server.close()
      server.closeAllConnections()
    })
    await once(server, 'listening')
  }
  const site = {
    folder: join(folder, 'nginx'),
    port: nginxPort,
    apiPorts: [port1, port2] as const,
    keepaliveMs: 1_000,
    ...(readTimeoutMs === undefined ? {} : { readTimeoutMs }),
  }
  const nginx = await startNginx(site)
  opened.defer(() => nginx.stop())

  const call = (
    method: string,
    path: string,
    id = 'a',
    headers: Record<string, string> = {},
    body = method === 'POST' ? '{}' : undefined,
  ) => sendRaw(nginxPort, false, { method, path, headers: { ...headers, 'x-request-id': id }, body })
  return { seen, call }
}

function answerOk(_request: IncomingMessage, response: ServerResponse): void {
  response.end('ok')
}
