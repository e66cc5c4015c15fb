import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'
import { anEdge, CHANNEL, MEDIA, MULTIVARIANT } from './edge.ts'
import { type OriginAnswer, PLAYLIST } from './origin.ts'

/** As a node answers that does not know a channel and has not received all of them. */
const NOT_READY: OriginAnswer = {
  status: 503,
  body: '{"code":"playout.not_ready"}',
  cacheControl: 'max-age=1',
  retryAfter: '1',
}

test('while one viewer waits for the next playlist, the others are given the one before', async (t) => {
  const { origin, ask, askUntil } = await anEdge(t)
  await ask(MEDIA)
  const { promise, resolve } = Promise.withResolvers<void>()
  origin.answerWith({ ...PLAYLIST, body: 'the next one', after: promise })

  const waiting = askUntil(MEDIA, ({ cache }) => cache !== 'HIT')
  await pollUntil(() => origin.asked.length === 2 || undefined, 10_000)
  const others = await Promise.all(Array.from({ length: 20 }, (_, at) => ask(`${MEDIA}?sid=${at}`)))
  resolve()

  assert.ok(others.every(({ cache, body }) => cache === 'UPDATING' && body === PLAYLIST.body))
  assert.equal((await waiting).body, 'the next one')
  assert.equal(origin.asked.length, 2)
})

test('with every node gone viewers are given what was there last, until one is back', async (t) => {
  const { origin, ask, askUntil } = await anEdge(t)
  await ask(MEDIA)
  await origin.stop()

  const stale = await askUntil(MEDIA, ({ cache }) => cache !== 'HIT')
  const unknown = await ask(`${CHANNEL}/360p.m3u8`)
  origin.answerWith({ ...PLAYLIST, body: 'back' })
  await origin.start()
  const back = await askUntil(MEDIA, ({ body }) => body === 'back')

  assert.deepEqual([stale.status, stale.cache, stale.body], [200, 'STALE', PLAYLIST.body])
  assert.equal(unknown.status, 502)
  assert.match(unknown.body, /"code":"gateway.unreachable"/)
  assert.equal(back.status, 200)
})

test('nodes that fail are as good as gone', async (t) => {
  const { origin, ask, askUntil } = await anEdge(t)
  await ask(MEDIA)
  // Also one that caches may keep: it does not take the place of a playlist.
  origin.answerWith(NOT_READY)

  const stale = await askUntil(MEDIA, ({ cache }) => cache !== 'HIT')

  assert.deepEqual([stale.status, stale.cache, stale.body], [200, 'STALE', PLAYLIST.body])
})

test('where one node is silent the other one answers', async (t) => {
  const { origin, ask } = await anEdge(t)
  origin.answerWith({ ...PLAYLIST, after: new Promise(() => {}) })

  const asked = ask(MEDIA)
  await pollUntil(() => origin.asked.length === 1 || undefined, 10_000)
  origin.answerWith({ ...PLAYLIST, body: 'of the other' })

  assert.equal((await asked).body, 'of the other')
  assert.equal(origin.asked.length, 2)
})

test('that there is nothing is kept for a second, so that a channel can go on the air', async (t) => {
  const { origin, ask, askUntil } = await anEdge(t)
  origin.answerWith({ status: 404, body: 'off the air', cacheControl: 'max-age=1' })

  const missing = [await ask(MEDIA), await ask(MEDIA)]
  origin.answerWith(PLAYLIST)
  const there = await askUntil(MEDIA, ({ status }) => status === 200)

  assert.deepEqual(
    missing.map(({ status, cache, body }) => [status, cache, body]),
    [
      [404, 'MISS', 'off the air'],
      [404, 'HIT', 'off the air'],
    ],
  )
  assert.equal(there.body, PLAYLIST.body)
  assert.deepEqual(origin.asked, [MEDIA, MEDIA])
})

test('where one node has not received its channels the other one answers, whatever is requested', async (t) => {
  const { origin, ask } = await anEdge(t)
  origin.answerAt(0, NOT_READY)
  const paths = Array.from({ length: 8 }, (_, at) => [
    `${CHANNEL}/rung-${at}.m3u8`,
    `${MULTIVARIANT}?at=${at}`,
    `${CHANNEL}/epg.xml?at=${at}`,
    `${CHANNEL}/epg.json?at=${at}`,
  ]).flat()

  const answers = []
  for (const path of paths) answers.push(await ask(path))

  assert.equal(answers.length, 32)
  assert.deepEqual(
    new Set(answers.map(({ status, body }) => `${status} ${body}`)),
    new Set([`200 ${PLAYLIST.body}`]),
  )
  // Both workers of nginx take turns between the nodes, so that the first one was tried about every other time.
  assert.ok(origin.asked.length >= 40, `${origin.asked.length}`)
})

test('where no node has received its channels each is tried once, and viewers are told to come back', async (t) => {
  const { origin, ask, askUntil } = await anEdge(t)
  origin.answerWith(NOT_READY)

  const refused = await ask(MEDIA)
  const tried = origin.asked.length
  origin.answerAt(1, PLAYLIST)
  const back = await askUntil(MEDIA, ({ status }) => status !== 503)

  assert.deepEqual([refused.status, refused.body, refused.retryAfter], [503, NOT_READY.body, '1'])
  assert.equal(tried, 2)
  assert.deepEqual([back.status, back.body], [200, PLAYLIST.body])
})

test('a request that may change something is sent to one node only', async (t) => {
  const { origin, ask } = await anEdge(t)
  origin.answerWith(NOT_READY)

  const refused = await ask(MULTIVARIANT, {}, 'POST')

  assert.deepEqual([refused.status, origin.asked.length], [503, 1])
})
