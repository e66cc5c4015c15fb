import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pollUntil } from '@continuity/dev/waiting'
import { anEdge, CHANNEL, MEDIA, MULTIVARIANT, type OriginAnswer, PLAYLIST } from './edge.ts'

/** The answer of a node to an unknown channel while it has not received all channels. */
const NOT_READY: OriginAnswer = {
  status: 503,
  body: '{"code":"playout.not_ready"}',
  cacheControl: 'max-age=1',
  retryAfter: '1',
}

test('while one viewer waits for the next playlist, the others get the previous one', async (t) => {
  const { origin, request, requestUntil } = await anEdge(t)
  await request(MEDIA)
  const { promise, resolve } = Promise.withResolvers<void>()
  origin.answerWith({ ...PLAYLIST, body: 'the next one', after: promise })

  const waiting = requestUntil(MEDIA, ({ cache }) => cache !== 'HIT')
  await pollUntil(() => origin.requests.length === 2 || undefined, 10_000)
  const others = await Promise.all(Array.from({ length: 20 }, (_, at) => request(`${MEDIA}?sid=${at}`)))
  resolve()

  assert.ok(others.every(({ cache, body }) => cache === 'UPDATING' && body === PLAYLIST.body))
  assert.equal((await waiting).body, 'the next one')
  assert.equal(origin.requests.length, 2)
})

test('while all nodes are down viewers get the last cached playlist, until one is back', async (t) => {
  const { origin, request, requestUntil } = await anEdge(t)
  await request(MEDIA)
  await origin.stop()

  const stale = await requestUntil(MEDIA, ({ cache }) => cache !== 'HIT')
  const unknown = await request(`${CHANNEL}/360p.m3u8`)
  origin.answerWith({ ...PLAYLIST, body: 'back' })
  await origin.start()
  const back = await requestUntil(MEDIA, ({ body }) => body === 'back')

  assert.deepEqual([stale.status, stale.cache, stale.body], [200, 'STALE', PLAYLIST.body])
  assert.equal(unknown.status, 502)
  assert.match(unknown.body, /"code":"gateway.unreachable"/)
  assert.equal(back.status, 200)
})

test('nodes that return errors are treated like nodes that are down', async (t) => {
  const { origin, request, requestUntil } = await anEdge(t)
  await request(MEDIA)
  // Even a cacheable error does not replace a playlist.
  origin.answerWith(NOT_READY)

  const stale = await requestUntil(MEDIA, ({ cache }) => cache !== 'HIT')

  assert.deepEqual([stale.status, stale.cache, stale.body], [200, 'STALE', PLAYLIST.body])
})

test('if one node does not answer the other one does', async (t) => {
  const { origin, request } = await anEdge(t)
  origin.answerWith({ ...PLAYLIST, after: new Promise(() => {}) })

  const pending = request(MEDIA)
  await pollUntil(() => origin.requests.length === 1 || undefined, 10_000)
  origin.answerWith({ ...PLAYLIST, body: 'of the other' })

  assert.equal((await pending).body, 'of the other')
  assert.equal(origin.requests.length, 2)
})

test('404 is cached for one second, so that a channel can start', async (t) => {
  const { origin, request, requestUntil } = await anEdge(t)
  origin.answerWith({ status: 404, body: 'off the air', cacheControl: 'max-age=1' })

  const missing = [await request(MEDIA), await request(MEDIA)]
  origin.answerWith(PLAYLIST)
  const found = await requestUntil(MEDIA, ({ status }) => status === 200)

  assert.deepEqual(
    missing.map(({ status, cache, body }) => [status, cache, body]),
    [
      [404, 'MISS', 'off the air'],
      [404, 'HIT', 'off the air'],
    ],
  )
  assert.equal(found.body, PLAYLIST.body)
  assert.deepEqual(origin.requests, [MEDIA, MEDIA])
})

test('a node that has not received its channels is skipped for any request', async (t) => {
  const { origin, request } = await anEdge(t)
  origin.answerAt(0, NOT_READY)
  const paths = Array.from({ length: 8 }, (_, at) => [
    `${CHANNEL}/rung-${at}.m3u8`,
    `${MULTIVARIANT}?at=${at}`,
    `${CHANNEL}/epg.xml?at=${at}`,
    `${CHANNEL}/epg.json?at=${at}`,
  ]).flat()

  const answers = []
  for (const path of paths) answers.push(await request(path))

  assert.equal(answers.length, 32)
  assert.deepEqual(
    new Set(answers.map(({ status, body }) => `${status} ${body}`)),
    new Set([`200 ${PLAYLIST.body}`]),
  )
  // Both nginx workers balance between the nodes, so the first node is tried about every other time.
  assert.ok(origin.requests.length >= 40, `${origin.requests.length}`)
})

test('if no node has received its channels each is tried once, and viewers get 503 with Retry-After', async (t) => {
  const { origin, request, requestUntil } = await anEdge(t)
  origin.answerWith(NOT_READY)

  const rejected = await request(MEDIA)
  const tried = origin.requests.length
  origin.answerAt(1, PLAYLIST)
  const back = await requestUntil(MEDIA, ({ status }) => status !== 503)

  assert.deepEqual([rejected.status, rejected.body, rejected.retryAfter], [503, NOT_READY.body, '1'])
  assert.equal(tried, 2)
  assert.deepEqual([back.status, back.body], [200, PLAYLIST.body])
})

test('a request that is not idempotent is sent to one node only', async (t) => {
  const { origin, request } = await anEdge(t)
  origin.answerWith(NOT_READY)

  const rejected = await request(MULTIVARIANT, {}, 'POST')

  assert.deepEqual([rejected.status, origin.requests.length], [503, 1])
})
