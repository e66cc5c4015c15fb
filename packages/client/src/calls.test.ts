import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationList } from '@continuity/contract'
import { createClient, etagOf, isProblem, ProblemError, UnreachableError } from './index.ts'
import { aClient, aPage, aSession } from './testing/a-client.ts'
import { hangUp, inSequence, json, problem, type Script } from './testing/scripted-server.ts'
import { sleep } from './waiting.ts'

const video = { params: { video_id: 'v1' } }
const ok: Script = (_, response) => json(response, 200, aPage([]))
const brand = { params: { brand_id: 'north' }, body: { name: 'North' } }
const failing =
  (status: number, code: string, headers?: object): Script =>
  (_, response) =>
    problem(response, status, code, headers)
const busy = failing(503, 'server.overloaded')
const late = failing(503, 'server.deadline')
const busyFor = (retryAfter: string) => failing(503, 'server.overloaded', { 'Retry-After': retryAfter })
const tooMany = (retryAfter: string) => failing(429, 'session.too_many_tries', { 'Retry-After': retryAfter })
const htmlPage =
  (status: number): Script =>
  (_, response) => {
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>No</h1>')
  }
const never: Script = () => undefined
const half: Script = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"video_id":')
}

test('a client has a method for every operation, and listings have pages() and all()', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' })

  const methods = new Map(Object.entries(client))

  for (const { id, paging } of operationList) {
    const method: unknown = methods.get(id)
    assert.equal(typeof method, 'function', id)
    assert.equal('all' in Object(method) && 'pages' in Object(method), paging !== undefined, id)
  }
  // Besides: the session, the logout, events as values, and reports as bytes.
  assert.equal(methods.size, operationList.length + 4)
})

test('a parameter is percent-encoded', async (t) => {
  const { client, server } = await aClient(t, ok)

  await client.getBrand({ params: { brand_id: 'north/one?x=1#ü %2e%2e' } })

  assert.equal(server.seen[0]?.url, '/api/2.1/brands/north%2Fone%3Fx%3D1%23%C3%BC%20%252e%252e')
})

test('rejects a parameter that URL normalisation would remove, before anything is sent', async (t) => {
  const { client, server } = await aClient(t, ok)

  for (const video_id of ['', '.', '..']) {
    await assert.rejects(client.getVideo({ params: { video_id } }), TypeError)
  }

  assert.equal(server.seen.length, 0)
})

test('rejects an id that results in the address of another operation', async (t) => {
  const { client, server } = await aClient(t, ok)
  const body = [{ linear_channel_id: 'c1' }]

  await assert.rejects(
    client.overrideChannels({ params: { live_source_id: 'rescue_slate' }, body }),
    TypeError,
  )
  await assert.rejects(client.getLiveSource({ params: { live_source_id: 'list' } }), TypeError)

  assert.equal(server.seen.length, 0)
})

test('query values are sent in the format of the API, and undefined is left out', async (t) => {
  const { client, server } = await aClient(t, ok)

  await client.reportAnalytics({
    query: { from: '2026-03-01', to: '2026-03-02', include_countries: true, time_frame: undefined },
  })
  await client.listVideos({ query: { page_size: 5, sort: 'title.ASC' } })
  await client.listVideos({ query: { page_size: undefined } })

  assert.deepEqual(
    server.seen.map(({ url }) => url),
    [
      '/api/2.3/reports/analytics?from=2026-03-01&to=2026-03-02&include_countries=true',
      '/api/2.1/videos?page_size=5&sort=title.ASC',
      '/api/2.1/videos',
    ],
  )
})

test('every request has Content-Type and Accept application/json', async (t) => {
  const { client, server } = await aClient(t, ok)

  await client.listVideos()
  await client.reportAnalytics({ query: { from: '2026-03-01', to: '2026-03-01' } })
  await client.searchVideos({ body: { query: 'harbour' } })

  for (const { headers } of server.seen) {
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers.accept, 'application/json')
  }
  assert.deepEqual(server.seen[2]?.body, { query: 'harbour' })
})

test('an answer without a body is undefined', async (t) => {
  const { client } = await aClient(t, (_, response) => {
    response.writeHead(204).end()
  })

  assert.equal(await client.deleteVideo({ params: { video_id: 'v1' } }), undefined)
})

test('the ETag of a record can be sent back as If-Match', async (t) => {
  const { client, server } = await aClient(t, (_, response) => json(response, 200, {}, { ETag: '"7"' }))

  const series = await client.getSeries({ params: { series_id: 's1' } })
  await client.changeSeries(
    { params: { series_id: 's1' }, body: { title: 'T' } },
    { ifMatch: etagOf(series) },
  )

  assert.equal(server.seen[1]?.headers['if-match'], '"7"')
})

test('a base URL may have a path', async (t) => {
  const { server } = await aClient(t, ok)

  await createClient({ baseUrl: `${server.url}/continuity/` }).listVideos()

  assert.equal(server.seen[0]?.url, '/continuity/api/2.1/videos')
})

test('a problem is thrown with all of its fields', async (t) => {
  const body = {
    type: '/errors#request.invalid',
    title: 'Invalid request',
    status: 400,
    detail: 'media_type is unknown',
    instance: '/api/2.1/videos/v1',
    message: 'media_type is unknown',
    code: 'request.invalid',
    request_id: 'req-7',
    errors: [{ pointer: '#query/media_type', code: 'enum', message: 'must be hls or mp4' }],
  }
  const { client } = await aClient(t, (_, response) => json(response, 400, body))

  await assert.rejects(client.getVideo(video), (error) => {
    assert.ok(error instanceof ProblemError)
    assert.equal(error.message, '400 request.invalid: media_type is unknown')
    assert.equal(error.status, 400)
    assert.equal(error.code, 'request.invalid')
    assert.equal(error.detail, 'media_type is unknown')
    assert.equal(error.requestId, 'req-7')
    assert.equal(error.instance, '/api/2.1/videos/v1')
    assert.equal(error.retryAfterMs, undefined)
    assert.deepEqual(error.errors, body.errors)
    assert.deepEqual(error.problem, body)
    return true
  })
})

test('the status is the HTTP status, not the one in the body', async (t) => {
  const { client } = await aClient(t, (_, response) =>
    json(response, 409, { code: 'record.in_use', detail: 'It is on air', status: 200 }),
  )

  await assert.rejects(client.deleteVideo(video), { status: 409, code: 'record.in_use', requestId: '' })
})

test('an answer that does not come from the service has the code http.<status>', async (t) => {
  const { client } = await aClient(t, (_, response) => {
    response.writeHead(403, { 'Content-Type': 'text/html', 'X-Request-Id': 'edge-1' }).end('<h1>Blocked</h1>')
  })

  await assert.rejects(client.getVideo(video), {
    code: 'http.403',
    status: 403,
    requestId: 'edge-1',
    instance: '/api/2.1/videos/v1',
    errors: [],
  })
})

test('a success that is not JSON is a problem', async (t) => {
  const { client } = await aClient(t, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Please log in to the hotel</h1>')
  })

  await assert.rejects(client.getVideo(video), { code: 'http.200' })
})

test('a redirect is not followed, so that no other host gets the credential', async (t) => {
  const other = await aClient(t, (_, response) => json(response, 200, {}))
  const { client } = await aClient(
    t,
    (_, response) => {
      response.writeHead(307, { Location: `${other.server.url}/stolen` }).end()
    },
    { session: aSession('1') },
  )

  await assert.rejects(client.getVideo(video), { code: 'http.307' })

  assert.equal(other.server.seen.length, 0)
})

test('an unreachable service throws UnreachableError with its cause', async (t) => {
  const { client } = await aClient(t, () => undefined, { baseUrl: 'http://127.0.0.1:1' })

  await assert.rejects(client.getVideo(video), (error) => {
    assert.ok(error instanceof UnreachableError)
    assert.equal(error.message, 'No answer to GET http://127.0.0.1:1/api/2.1/videos/v1')
    assert.ok(error.cause instanceof Error)
    return true
  })
})

test('isProblem matches problems by their code', () => {
  const gone = new ProblemError({
    type: '',
    title: '',
    status: 404,
    detail: '',
    instance: '',
    message: '',
    code: 'video.not_found',
    request_id: '',
  })

  assert.ok(isProblem(gone))
  assert.ok(isProblem(gone, 'video.not_found'))
  assert.ok(isProblem(gone, 'series.not_found', 'video.not_found'))
  assert.ok(!isProblem(gone, 'series.not_found'))
  assert.ok(!isProblem(new Error('video.not_found'), 'video.not_found'))
})

test('createClient rejects a base URL that is not usable', () => {
  for (const baseUrl of [
    '/api',
    'ftp://north.example',
    'https://u:p@north.example',
    'https://north.example?a=1',
  ]) {
    assert.throws(() => createClient({ baseUrl }), TypeError)
  }
})

test('a call to a busy service is retried, and the waits double up to the cap', async (t) => {
  const { client, server, waits } = await aClient(t, busy, { retry: { tries: 6, capMs: 1_000 } })

  await assert.rejects(client.getVideo(video), (error) => isProblem(error, 'server.overloaded'))

  assert.equal(server.seen.length, 6)
  assert.deepEqual(waits, [200, 400, 800, 1_000, 1_000])
})

test('there are four tries by default', async (t) => {
  const { client, server } = await aClient(t, hangUp)

  await assert.rejects(client.getVideo(video), UnreachableError)

  assert.equal(server.seen.length, 4)
})

test('the wait is a random share of its maximum', async (t) => {
  const { client, waits } = await aClient(t, inSequence(busy, ok), { random: () => 0.25 })

  await client.getVideo(video)

  assert.deepEqual(waits, [50])
})

test('Retry-After in seconds is honoured', async (t) => {
  const { client, waits } = await aClient(t, inSequence(busyFor('7'), ok), { random: () => 0 })

  await client.getVideo(video)

  assert.deepEqual(waits, [7_000])
})

test('Retry-After as a date is honoured', async (t) => {
  const nowMs = Date.UTC(2026, 2, 1, 18, 0, 0)
  const script = inSequence(tooMany('Sun, 01 Mar 2026 18:00:12 GMT'), ok)
  const { client, waits } = await aClient(t, script, { random: () => 0, now: () => nowMs })

  await client.getVideo(video)

  assert.deepEqual(waits, [12_000])
})

test('a Retry-After beyond the cap is thrown at once', async (t) => {
  const { client, server, waits } = await aClient(t, busyFor('31'))

  await assert.rejects(client.getVideo(video), { status: 503, retryAfterMs: 31_000 })

  assert.equal(server.seen.length, 1)
  assert.deepEqual(waits, [])
})

test('every try of a call has the same idempotency key, and the next call has another', async (t) => {
  const { client, server } = await aClient(t, inSequence(hangUp, htmlPage(502), busy, ok))

  await client.startLinearChannel({ params: { linear_channel_id: 'c1' } })
  await client.startLinearChannel({ params: { linear_channel_id: 'c1' } })

  const keys = server.seen.map(({ headers }) => headers['idempotency-key'])
  assert.equal(keys.length, 5)
  assert.equal(new Set(keys.slice(0, 4)).size, 1)
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
  assert.notEqual(keys[4], keys[0])
})

test("the caller's own idempotency key is sent as it is", async (t) => {
  const { client, server } = await aClient(t, ok)

  await client.startLinearChannel({ params: { linear_channel_id: 'c1' } }, { idempotencyKey: 'order-66' })

  assert.equal(server.seen[0]?.headers['idempotency-key'], 'order-66')
})

test('a change whose outcome is unknown is not repeated', async (t) => {
  const feedLost = failing(503, 'feed.unavailable')
  for (const script of [hangUp, htmlPage(502), htmlPage(504), htmlPage(503), late, feedLost]) {
    const { client, server } = await aClient(t, script)

    await assert.rejects(client.changeBrand(brand))

    assert.equal(server.seen.length, 1)
  }
})

test('a change that the service reports as not done is repeated', async (t) => {
  for (const failure of [busy, tooMany('1')]) {
    const { client, server } = await aClient(t, inSequence(failure, ok))

    await client.changeBrand(brand)

    assert.equal(server.seen.length, 2)
  }
})

test('reads, deletions and searches are repeated when the outcome is unknown', async (t) => {
  for (const lost of [hangUp, late]) {
    const { client, server } = await aClient(t, inSequence(lost, ok, lost, ok, lost, ok))

    await client.getVideo(video)
    await client.deleteVideo(video)
    await client.searchVideos({ body: { query: 'harbour' } })

    assert.equal(server.seen.length, 6)
  }
})

test('a login is not repeated after a lost connection or a 429, only when the service is busy', async (t) => {
  const body = { account_name: 'north', email: 'duty@north.example', password: 'secret' }
  const once = [hangUp, tooMany('1'), htmlPage(502), late]
  for (const script of once) {
    const { client, server } = await aClient(t, script)
    await assert.rejects(client.login({ body }))
    assert.equal(server.seen.length, 1)
  }

  const { client, server } = await aClient(t, busy)
  await assert.rejects(client.login({ body }))
  assert.equal(server.seen.length, 4)
})

test('other errors are not retried', async (t) => {
  for (const status of [400, 403, 404, 409, 422, 500, 501]) {
    const { client, server } = await aClient(t, (_, response) => problem(response, status, 'some.error'))

    await assert.rejects(client.getVideo(video), { status, code: 'some.error' })

    assert.equal(server.seen.length, 1)
  }
})

test('an aborted call rejects with the reason of its signal', async (t) => {
  const { client, server } = await aClient(t, never)
  const controller = new AbortController()
  const reason = new Error('the operator pressed escape')

  const read = client.getVideo(video, { signal: controller.signal })
  const change = client.changeBrand(brand, { signal: controller.signal })
  await server.untilSeen('/videos/v1')
  await server.untilSeen('/brands/north')
  controller.abort(reason)

  await assert.rejects(read, reason)
  await assert.rejects(change, reason)
  assert.equal(server.seen.length, 2)
})

test('a call whose signal is already aborted sends nothing', async (t) => {
  const { client, server } = await aClient(t, never)

  await assert.rejects(client.getVideo(video, { signal: AbortSignal.abort() }), { name: 'AbortError' })

  assert.equal(server.seen.length, 0)
})

test('an abort ends the wait between two tries', async (t) => {
  const waiting = Promise.withResolvers<void>()
  const { client, server } = await aClient(t, busyFor('29'), {
    sleep: (ms, signal) => {
      waiting.resolve()
      return sleep(ms, signal)
    },
  })
  const controller = new AbortController()

  const call = client.getVideo(video, { signal: controller.signal })
  await waiting.promise
  controller.abort(new Error('enough'))

  await assert.rejects(call, /enough/)
  assert.equal(server.seen.length, 1)
})

test('a try that times out counts as a lost connection and is repeated', async (t) => {
  const script = inSequence(never, half, (_, response) => json(response, 200, { video_id: 'v1' }))
  const { client, server } = await aClient(t, script, { timeoutMs: 60, retry: { tries: 50 } })

  assert.deepEqual(await client.getVideo(video), { video_id: 'v1' })

  assert.ok(server.seen.length >= 3)
})

test('a call may set its own time limit', async (t) => {
  const { client } = await aClient(t, never, { retry: { tries: 1 } })

  await assert.rejects(client.getVideo(video, { timeoutMs: 20 }), (error) => {
    assert.ok(error instanceof UnreachableError)
    assert.ok(error.cause instanceof DOMException)
    assert.equal(error.cause.name, 'TimeoutError')
    return true
  })
})
