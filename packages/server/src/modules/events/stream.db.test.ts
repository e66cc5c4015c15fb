import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { Event, operations } from '@continuity/contract'
import { compileCheck } from '../../http/schema-validator.ts'
import { aServer, listen, put } from '../../http/testing/a-server.ts'
import { credentialHeaders, NOW_MS } from '../../http/testing/credentials.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { anActor } from '../../platform/testing/an-actor.ts'
import { openEventStreams, recordEvent } from './index.ts'
import { eventRoutes } from './routes.ts'
import { anEvent } from './testing/an-event.ts'

const it = await aDatabase()
const check = compileCheck(Event)

async function anApi(t: TestContext, perAccount = 10) {
  const accountId = randomUUID()
  await addAccounts(it.ownerUrl, { [accountId]: accountId })
  const metrics = createMetrics()
  const eventStreams = openEventStreams(it.database, { perAccount, perProcess: 20 }, metrics)
  const { server, metrics: requestMetrics } = aServer(t)
  t.after(() => eventStreams.close())
  const clock = { nowMs: NOW_MS }
  put(server, operations.streamEvents, eventRoutes({ eventStreams }).streamEvents, {
    clock: () => clock.nowMs,
  })
  const port = await listen(server)
  const open = (query = '', headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/api/2.3/events${query}`, {
      headers: { ...credentialHeaders({ accountId }), ...headers },
      signal: AbortSignal.timeout(60_000),
    })
  const record = (...subjects: string[]) =>
    it.database
      .forAccount(accountId)
      .transaction()
      .execute(async (tx) => {
        for (const subject of subjects) await recordEvent(tx, anActor(accountId), anEvent(subject))
      })
  return { server, open, record, clock, metrics, requestMetrics }
}

/** Reads until the text matches, and leaves the stream open. */
function aReader(t: TestContext, response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  t.after(() => reader.cancel().catch(() => {}))
  let text = ''
  return {
    async until(wanted: RegExp): Promise<string> {
      while (!wanted.test(text)) {
        const { value, done } = await reader.read()
        assert.ok(!done, `the stream ended: ${text}`)
        text += value
      }
      return text
    },
    async end(): Promise<string> {
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return text
        text += value
      }
    },
  }
}

const subjectsOf = (text: string) => [...text.matchAll(/"subject_id":"(\w+)"/g)].map(([, id]) => id)
const lastIdOf = (text: string) => [...text.matchAll(/^id: (\S+)$/gm)].at(-1)![1]!

test('a committed change is sent to a follower and matches its schema', async (t) => {
  const { open, record, metrics, requestMetrics } = await anApi(t)
  const response = await open()
  const reader = aReader(t, response)
  await reader.until(/^id: /m)

  await record('one')
  const text = await reader.until(/^data: .*\n\n/m)

  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.match(text, /^event: channel\.changed$/m)
  assert.deepEqual(check(JSON.parse(/^data: (.*)$/m.exec(text)![1]!)), [])
  assert.match(metrics.print(), /event_streams_open 1\n/)
  assert.match(metrics.print(), /event_stream_events_total 1\n/)
  assert.match(
    requestMetrics.print(),
    /http_requests_in_flight 0\n/,
    'an open stream does not count as a request in flight',
  )
})

test('a follower that reconnects with an id receives exactly the events it missed', async (t) => {
  const { open, record } = await anApi(t)
  const first = aReader(t, await open())
  await first.until(/^id: /m)
  await record('a', 'b')
  const id = lastIdOf(await first.until(/"subject_id":"b"/))
  await record('c')
  await record('d')
  // By then no older transaction delays them.
  await first.until(/"subject_id":"d"/)

  const rest = await aReader(t, await open('?follow=false', { 'last-event-id': id })).end()
  const all = await aReader(t, await open('?follow=false&from=oldest')).end()
  const one = await aReader(t, await open('?follow=false&from=oldest&subject_id=c')).end()
  const none = await aReader(t, await open('?follow=false&from=oldest&kind=alert.*')).end()

  assert.deepEqual(subjectsOf(rest), ['c', 'd'])
  assert.deepEqual(subjectsOf(all), ['a', 'b', 'c', 'd'])
  assert.deepEqual(subjectsOf(one), ['c'])
  assert.deepEqual(subjectsOf(none), [])
})

test('rejects an invalid id, an unknown kind and a stream above the limit', async (t) => {
  const { open, record } = await anApi(t, 2)
  const rejected = async (response: Response) => {
    const { code } = (await response.json()) as { code: string }
    return `${response.status} ${code}`
  }

  assert.equal(await rejected(await open('', { 'last-event-id': '41' })), '400 event.cursor_invalid')
  assert.equal(await rejected(await open('?kind=chanel.*')), '400 event.kind_unknown')
  assert.equal(await rejected(await open('?kind=channel')), '400 request.invalid')
  const streams = [await open(), await open()].map((response) => aReader(t, response))
  const third = await open()
  assert.equal(third.headers.get('retry-after'), '30')
  // By then each has its cursor.
  for (const stream of streams) await stream.until(/^id: /m)
  assert.equal(await rejected(third), '429 event.too_many_streams')
  await record('a')
  for (const stream of streams) await stream.until(/"subject_id":"a"/)
})

test('a stream ends when its credential expires', async (t) => {
  const { open, clock } = await anApi(t)
  const reader = aReader(t, await open())
  await reader.until(/^id: /m)

  clock.nowMs += 3_600_000

  assert.deepEqual(subjectsOf(await reader.end()), [])
})

test('a stopping server ends its streams, and new ones immediately', async (t) => {
  const { server, open } = await anApi(t)
  const reader = aReader(t, await open())
  await reader.until(/^id: /m)

  server.openStreams.endAll()

  await reader.end()
  await aReader(t, await open()).end()
})

test('HEAD returns the headers without opening a stream', async (t) => {
  const { server, metrics } = await anApi(t)
  const answer = await server.inject({
    method: 'HEAD',
    url: '/api/2.3/events',
    headers: credentialHeaders({ accountId: randomUUID() }),
  })

  assert.equal(answer.statusCode, 200)
  assert.match(metrics.print(), /event_streams_open 0\n/)
})
