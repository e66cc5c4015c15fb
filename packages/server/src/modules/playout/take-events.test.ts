import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { takeEvents } from './take-events.ts'

/** An events endpoint without channels, with its own limit. */
async function anEventsServer(t: TestContext, reportsPerSecond: number) {
  const take = takeEvents({
    store: { find: () => undefined },
    clock: () => 0,
    isClosing: () => false,
    onFault: () => {},
    reportsPerSecond,
  })
  const server = createServer((request, response) => {
    if (!take(request, response)) response.writeHead(405).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async (path: string, body = 'sta=p', method = 'POST') => {
    const answer = await fetch(`${url}${path}`, { method, ...(method === 'POST' ? { body } : {}) })
    await answer.arrayBuffer()
    return { status: answer.status, origin: answer.headers.get('access-control-allow-origin') }
  }
}

test('reports are accepted at their address, from any origin, with the same response', async (t) => {
  const send = await anEventsServer(t, 1_000)

  assert.deepEqual(await send('/channels/c/direct/cmcd?sid=x'), { status: 204, origin: '*' })
  assert.deepEqual(await send('/channels/c/direct/cmcd'), { status: 204, origin: '*' })
  assert.deepEqual(await send('/channels/c/direct/cmcd', 'x'.repeat(16_384)), { status: 204, origin: '*' })
  for (const path of ['/channels/c/direct/720p.m3u8', '/cmcd', '/other/c/direct/cmcd'])
    assert.equal((await send(path)).status, 405)
  assert.equal((await send('/channels/c/direct/cmcd', '', 'GET')).status, 405)
})

test('rejects a report that is too large, and reports above the rate limit', async (t) => {
  const send = await anEventsServer(t, 5)

  const large = await send('/channels/c/direct/cmcd', 'x'.repeat(16_385))
  const many = Array.from({ length: 40 }, () => send('/channels/c/direct/cmcd'))
  const statuses = (await Promise.all(many)).map(({ status }) => status)

  assert.deepEqual(large, { status: 413, origin: '*' })
  assert.ok(statuses.filter((status) => status === 429).length >= 1, statuses.join(' '))
  assert.ok(statuses.filter((status) => status === 204).length >= 4, statuses.join(' '))
})
