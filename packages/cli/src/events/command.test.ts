import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { Event, eventKinds } from '@continuity/contract'
import { startService } from '../testing/a-service.ts'
import { runLine } from '../testing/a-world.ts'
import { eventLine } from './command.ts'

/** A service that accepts any login, and answers one stream after another. */
async function aService(t: TestContext, ...streams: readonly ((response: ServerResponse) => void)[]) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/auth/login') === true) {
      const token = { token_access: 'access', token_refresh: 'refresh', roles: ['ROLE_OPERATOR'] }
      const session = { country: 'DE', user_agent: 'test', device_id: 'd-1', token }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(session))
      return
    }
    requests.push(`${request.url} ${String(request.headers['last-event-id'] ?? '')}`.trim())
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    streams[requests.length - 1]?.(response)
  })
  const env = await startService(t, server)
  return { env, requests }
}

const { oneOf } = Event as unknown as { oneOf: { examples: [Event] }[] }
const examples = oneOf.map((schema) => schema.examples[0])
const print = (event: Event, id: string) => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`

test('prints a line for each stored event and ends', async (t) => {
  const { env, requests } = await aService(t, (response) =>
    response.end(examples.map((event, index) => print(event, `c${index}`)).join('')),
  )

  const { exitCode, printed } = await runLine('events --kind channel.*', { env })

  assert.equal(exitCode, 0)
  assert.deepEqual(requests, ['/api/2.3/events?kind=channel.*&follow=false&from=oldest'])
  assert.equal(printed.trimEnd().split('\n').length, Object.keys(eventKinds).length)
  assert.match(
    printed,
    /^2026-03-01T18:00:00.000Z {2}channel.created {6}\S+ {2}North One: ON_AIR, SCHEDULED$/m,
  )
})

test('a lost stream is reopened after its last event, and that is reported once', async (t) => {
  const interruption = new AbortController()
  const { env, requests } = await aService(
    t,
    (response) => response.end(print(examples[0]!, 'c1')),
    (response) => response.end(''),
    (response) => {
      response.write(print(examples[1]!, 'c2'))
      setTimeout(() => interruption.abort(), 200)
    },
  )

  const { exitCode, printed, errorOutput } = await runLine('events --follow --json', {
    env,
    interruption: interruption.signal,
  })

  assert.equal(exitCode, 130)
  assert.deepEqual(
    requests.map((line) => line.split(' ')[1]),
    [undefined, 'c1', 'c1'],
  )
  assert.deepEqual(
    printed.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).cursor])),
    ['c1', 'c2'],
  )
  assert.equal(errorOutput.match(/Reconnecting/g)?.length, 1)
})

test('every kind of event has details in its line', () => {
  for (const event of examples) {
    const line = eventLine({ ...event, cursor: 'c' })
    assert.match(line, /^\S+ {2}\S+ +\S+ {2}\S/, line)
    assert.doesNotMatch(line, /undefined|object/)
  }
})
