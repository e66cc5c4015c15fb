import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findLastingPorts } from './lasting-ports.ts'
import { startNginx } from './nginx.ts'
import { send } from './send.ts'

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

interface Seen {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** The configuration that we ship, with two stand-ins for the API that write down what arrives. */
async function nginxBefore(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
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
    opened.defer(() => void server.close())
    await once(server, 'listening')
  }
  const site = {
    folder: join(folder, 'nginx'),
    port: nginxPort,
    apiPorts: [port1, port2] as const,
    keepaliveMs: 1_000,
  }
  const nginx = await startNginx(site)
  opened.defer(() => nginx.stop())

  const ask = (method: string, path: string, id = 'a', headers: Record<string, string> = {}) =>
    send({
      port: nginxPort,
      agent: false,
      id,
      request: { method, path, headers, body: method === 'POST' ? '{}' : undefined, isFixed: false },
    })
  return { seen, ask }
}

function answerOk(_request: IncomingMessage, response: ServerResponse): void {
  response.end('ok')
}
