import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventParser } from './event-parser.ts'
import { isProblem, type ServerEvent } from './index.ts'
import { aClient, aPage, aSession, aSessionAnswer, collect } from './testing/a-client.ts'
import { hangUp, inSequence, json, problem, type Script } from './testing/scripted-server.ts'

const page =
  (hits: readonly unknown[], mark: string | null): Script =>
  (_, response) =>
    json(response, 200, aPage(hits, mark))

/** Sends this text and leaves the stream open. */
const streaming =
  (text: string): Script =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(text)
  }
const ending =
  (text: string): Script =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text)
  }
const breaking =
  (text: string): Script =>
  (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(text, () => response.destroy())
  }

async function take(count: number, events: AsyncIterable<ServerEvent>): Promise<string[]> {
  const data: string[] = []
  for await (const event of events) if (data.push(event.data) === count) break
  return data
}

/** The events in a text that comes in these parts. */
const parse = (...texts: string[]) => {
  const parser = createEventParser('')
  return texts.flatMap((text) => parser.push(text))
}

test('all() follows the page mark of each page, with the rest of the query unchanged', async (t) => {
  const script = inSequence(page([1, 2], 'm1'), page([3], 'm2'), page([], null))
  const { client, server } = await aClient(t, script)

  const hits = await collect(client.listVideos.all({ query: { page_size: 2 } }))

  assert.deepEqual(hits, [1, 2, 3])
  assert.deepEqual(
    server.seen.map(({ url }) => url.split('?')[1]),
    ['page_size=2', 'page_size=2&page_offset=m1', 'page_size=2&page_offset=m2'],
  )
})

test('a listing with offsets continues at the offset in the page mark', async (t) => {
  const { client, server } = await aClient(t, inSequence(page([1], '30'), page([2], null)))

  const hits = await collect(client.listLiveSources.all())

  assert.deepEqual(hits, [1, 2])
  assert.equal(server.seen[1]?.url, '/api/2.3/live_sources?page_offset=30')
})

test('a search sends its body for every page', async (t) => {
  const { client, server } = await aClient(t, inSequence(page([1], 'm1'), page([2], null)))

  await collect(client.searchVideos.all({ body: { query: 'harbour' } }))

  assert.deepEqual(
    server.seen.map(({ body }) => body),
    [{ query: 'harbour' }, { query: 'harbour' }],
  )
})

test('a page is fetched only when it is read', async (t) => {
  const { client, server } = await aClient(t, page([1], 'm1'))

  for await (const one of client.listVideos.pages()) {
    assert.deepEqual(one.hits, [1])
    break
  }

  assert.equal(server.seen.length, 1)
})

test('a repeated page mark ends the listing with an error instead of a loop', async (t) => {
  const circle = await aClient(t, inSequence(page([1], 'm1'), page([2], 'm2'), page([3], 'm1')))
  const still = await aClient(t, page([1], '0'))

  await assert.rejects(collect(circle.client.listVideos.all()), /page mark "m1" twice/)
  await assert.rejects(collect(still.client.listVideos.all()), /page mark "0" twice/)

  assert.equal(circle.server.seen.length, 3)
  assert.equal(still.server.seen.length, 1)
})

test('an abort ends the iteration', async (t) => {
  const { client } = await aClient(t, inSequence(page([1], 'm1'), page([2], null)))
  const controller = new AbortController()

  const iterate = async () => {
    for await (const _ of client.listVideos.all({}, { signal: controller.signal })) controller.abort()
  }

  await assert.rejects(iterate(), { name: 'AbortError' })
})

test('an answer that is not a page is an error', async (t) => {
  const { client } = await aClient(t, (_, response) => json(response, 200, []))

  await assert.rejects(client.listVideos(), (error) => isProblem(error, 'http.200'))
})

test('events are yielded as they arrive', async (t) => {
  const { client, server } = await aClient(t, streaming('id: 1\nevent: channel.on_air\ndata: {"a":1}\n\n'), {
    session: aSession('1'),
  })

  const next = await client.streamEvents().next()

  assert.deepEqual(next.value, { id: '1', event: 'channel.on_air', data: '{"a":1}' })
  assert.equal(server.seen[0]?.headers.accept, 'text/event-stream')
  assert.equal(server.seen[0]?.headers['x-service-auth'], 'access-1')
})

test('a lost stream is opened again after the last complete event', async (t) => {
  const script = inSequence(
    ending('id: 1\ndata: a\n\nid: 2\ndata: cut'),
    breaking('id: 2\ndata: b\n\n'),
    hangUp,
    (_, response) => problem(response, 503, 'server.overloaded'),
    streaming('id: 3\ndata: c\n\n'),
  )
  const { client, server } = await aClient(t, script)
  const lost: unknown[] = []
  let connected = 0
  const options = {
    onInterruption: (cause: unknown) => lost.push(cause),
    onConnected: () => (connected += 1),
  }

  const data = await take(3, client.streamEvents({}, options))

  assert.deepEqual(data, ['a', 'b', 'c'])
  const resumed = server.seen.map(({ headers }) => headers['last-event-id'])
  assert.deepEqual(resumed, [undefined, '1', '2', '2', '2'])
  assert.equal(lost.length, 4)
  assert.equal(connected, 3)
})

test('the waits between connections double until an event arrives, and honour retry and Retry-After', async (t) => {
  const script = inSequence(
    hangUp,
    hangUp,
    ending('retry: 3000\ndata: a\n\n'),
    (_, response) => problem(response, 503, 'server.overloaded', { 'Retry-After': '60' }),
    streaming('data: b\n\n'),
  )
  const { client, waits } = await aClient(t, script)

  await take(2, client.streamEvents())

  assert.deepEqual(waits, [200, 400, 3_200, 60_400])
})

test('a stream can resume after a given event', async (t) => {
  const { client, server } = await aClient(t, streaming('data: a\n\n'))

  await take(1, client.streamEvents({}, { lastEventId: '41' }))

  assert.equal(server.seen[0]?.headers['last-event-id'], '41')
})

test('a silent stream is opened again', async (t) => {
  const { client, server } = await aClient(t, inSequence(streaming(': hello\n\n'), streaming('data: a\n\n')))

  assert.deepEqual(await take(1, client.streamEvents({}, { idleMs: 30 })), ['a'])

  assert.ok(server.seen.length >= 2)
})

test('an abort ends the stream with the reason of its signal', async (t) => {
  const { client } = await aClient(t, streaming('data: a\n\n'))
  const controller = new AbortController()

  const events = client.streamEvents({}, { signal: controller.signal })
  await events.next()
  const next = events.next()
  controller.abort(new Error('the view was closed'))

  await assert.rejects(next, /the view was closed/)
})

test('leaving the loop closes the connection', async (t) => {
  const closed = Promise.withResolvers<void>()
  const { client } = await aClient(t, (request, response) => {
    response.once('close', closed.resolve)
    return streaming('data: a\n\n')(request, response)
  })

  await take(1, client.streamEvents())

  await closed.promise
})

test('an expired credential is renewed when the stream is opened again', async (t) => {
  const { client, server } = await aClient(
    t,
    (request, response) => {
      if (request.url.endsWith('/auth/refresh')) return json(response, 200, aSessionAnswer('2'))
      if (request.headers['x-service-auth'] === 'access-2') return streaming('data: b\n\n')(request, response)
      if (server.seenAt('/events').length === 1) return ending('data: a\n\n')(request, response)
      return problem(response, 401, 'credential.expired')
    },
    { session: aSession('1') },
  )

  assert.deepEqual(await take(2, client.streamEvents()), ['a', 'b'])
})

test('an error response, or an answer that is not an event stream, ends it', async (t) => {
  const forbidden = await aClient(t, (_, response) => problem(response, 403, 'role.missing'))
  const html = await aClient(t, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Hello</h1>')
  })

  await assert.rejects(forbidden.client.streamEvents().next(), (error) => isProblem(error, 'role.missing'))
  await assert.rejects(html.client.streamEvents().next(), (error) => isProblem(error, 'http.200'))
})

test('a 204 ends the stream', async (t) => {
  const { client, server } = await aClient(t, (_, response) => {
    response.writeHead(204).end()
  })

  assert.deepEqual(await collect(client.streamEvents()), [])
  assert.equal(server.seen.length, 1)
})

test('an event is complete at the empty line after it', () => {
  assert.deepEqual(parse('id: 7\nevent: channel.on_air\ndata: {}\n\ndata: unfinished\n'), [
    { id: '7', event: 'channel.on_air', data: '{}' },
  ])
})

test('the events do not depend on chunk boundaries or on the kind of line breaks', () => {
  const whole = 'id: 1\ndata: a\ndata:b\n\n: still here\n\nevent: e\ndata\n\n'
  const expected = [
    { id: '1', event: 'message', data: 'a\nb' },
    { id: '1', event: 'e', data: '' },
  ]
  for (const end of ['\n', '\r', '\r\n']) {
    const text = whole.replaceAll('\n', end)
    for (let at = 0; at <= text.length; at += 1) {
      assert.deepEqual(parse(text.slice(0, at), text.slice(at)), expected)
    }
    assert.deepEqual(parse(...text.split('')), expected)
  }
})

test('lastEventId changes when an event is complete, and stays until another id', () => {
  const parser = createEventParser('3')

  parser.push('id: 4\ndata: x\n')
  assert.equal(parser.lastEventId, '3')
  parser.push('\n')
  assert.equal(parser.lastEventId, '4')
  assert.deepEqual(parser.push('data: y\n\n'), [{ id: '4', event: 'message', data: 'y' }])
})

test('a retry field that is not a number is ignored', () => {
  const parser = createEventParser('')

  parser.push('retry: soon\n\n')
  assert.equal(parser.retryMs, undefined)
  parser.push('retry: 2500\n\n')
  assert.equal(parser.retryMs, 2_500)
})
