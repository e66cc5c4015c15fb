import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Problem } from '@continuity/contract'
import { PROBLEM_TYPE } from '../../packages/server/src/http/problem.ts'
import { compileCheck } from '../../packages/server/src/http/schema-validator.ts'
import { findLastingPorts } from './lasting-ports.ts'
import { startNginx } from './nginx.ts'
import { type Answer, send } from './send.ts'

test('probes and metrics are not served to the outside', async (t) => {
  const { seen, ask } = await nginxBefore(t, answerOk)

  const statuses = [
    await ask('GET', '/metrics'),
    await ask('GET', '/readyz'),
    await ask('GET', '/%6detrics?a'),
    await ask('GET', '/livez'),
  ].map(({ status }) => status)

  assert.deepEqual(statuses, [404, 404, 404, 200])
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/livez'],
  )
})

test("a client's request id is passed on, one that the API would refuse is replaced", async (t) => {
  const { seen, ask } = await nginxBefore(t, answerOk)

  await ask('GET', '/', 'north-17')
  await ask('GET', '/', 'two words')

  assert.equal(seen[0]!.headers['x-request-id'], 'north-17')
  assert.match(String(seen[1]!.headers['x-request-id']), /^[0-9a-f]{32}$/)
})

test('what a client claims about its address is dropped', async (t) => {
  const { seen, ask } = await nginxBefore(t, answerOk)

  await ask('GET', '/', 'a', { 'x-forwarded-for': '203.0.113.9' })

  assert.equal(seen[0]!.headers['x-forwarded-for'], '127.0.0.1')
  assert.equal(seen[0]!.headers['connection'], undefined)
})

test('a GET whose connection breaks goes to the other process, a POST that was sent goes nowhere again', async (t) => {
  const { seen, ask } = await nginxBefore(t, (request, response) => {
    if (seen.length % 2 === 1) request.socket.destroy()
    else answerOk(request, response)
  })

  const read = await ask('GET', '/a')
  const write = await ask('POST', '/b')

  assert.deepEqual([read.status, write.status], [200, 502])
  assert.deepEqual(
    seen.map(({ url }) => url),
    ['/a', '/a', '/b'],
  )
})

test('what nginx refuses itself is a problem with the id of the request', async (t) => {
  const { seen, ask } = await nginxBefore(t, answerOk)

  const answers = [
    await ask('GET', '/metrics', 'north-17'),
    await ask('GET', '/continuity-problem', 'north-17'),
    await ask('GET', `/${'a'.repeat(17_000)}`, 'north-17'),
    await ask('TRACE', '/', 'north-17'),
    await ask('POST', '/', 'north-17', { 'content-type': 'application/json' }, ' '.repeat(7 * 1024 * 1024)),
    await ask('GET', '/', 'north-17', { 'transfer-encoding': 'chunked', 'content-length': '3' }),
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
    // The address that is too long is refused before any header is read.
    answers.map(({ headers }) => headers['x-request-id'] === 'north-17'),
    [true, true, false, true, true, true],
  )
  assert.deepEqual(seen, [])
})

test('a line of the header may have nearly 16 KiB, and the refusal of a longer one is a problem', async (t) => {
  const { ask } = await nginxBefore(t, answerOk)

  const long = await ask('GET', '/', 'a', { 'x-long': 'a'.repeat(15_000) })
  const longer = await ask('GET', '/', 'a', { 'x-long': 'a'.repeat(17_000) })

  assert.equal(long.status, 200)
  assert.equal(readProblem(longer), '431 header.too_large')
})

test('what cannot stand in JSON does not come back in a problem', async (t) => {
  const { ask } = await nginxBefore(t, answerOk)

  const answer = await ask('GET', '/metrics?"%22\\', '"},{"\\')

  assert.equal(readProblem(answer), '404 route.not_found')
  assert.match(String(answer.headers['x-request-id']), /^[0-9a-f]{32}$/)
})

test('a process that breaks the connection, and one that is late, make a problem of the gateway', async (t) => {
  const { ask } = await nginxBefore(
    t,
    (request) => {
      if (request.url === '/broken') request.socket.destroy()
    },
    200,
  )

  const broken = await ask('POST', '/broken')
  const late = await ask('POST', '/late')

  assert.equal(readProblem(broken), '502 gateway.unreachable')
  assert.equal(broken.headers['retry-after'], '1')
  assert.equal(readProblem(late), '504 gateway.timeout')
  assert.equal(late.headers['retry-after'], undefined)
})

test('an error of the API passes unchanged', async (t) => {
  const { ask } = await nginxBefore(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { 'content-type': 'text/plain' }).end('as it is')
  })

  for (const status of [400, 404, 405, 413, 414, 431, 500, 501, 502, 503, 504, 505]) {
    const answer = await ask('POST', `/${status}`)

    assert.deepEqual([answer.status, answer.type, answer.body.toString()], [status, 'text/plain', 'as it is'])
    assert.equal(answer.headers['retry-after'], undefined)
  }
})

const faultsOf = compileCheck(Problem)

/** The status and code of an answer that is a valid problem in all that it says. */
function readProblem({ status, type, headers, body }: Answer): string {
  assert.equal(type, PROBLEM_TYPE)
  const problem: Problem = JSON.parse(body.toString())
  assert.deepEqual(faultsOf(problem), [])
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

/** The configuration that we ship, with two stand-ins for the API that write down what arrives. */
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

  const ask = (
    method: string,
    path: string,
    id = 'a',
    headers: Record<string, string> = {},
    body = method === 'POST' ? '{}' : undefined,
  ) => send({ port: nginxPort, agent: false, id, request: { method, path, headers, body, isFixed: false } })
  return { seen, ask }
}

function answerOk(_request: IncomingMessage, response: ServerResponse): void {
  response.end('ok')
}
