import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnswerOf, operations } from '@continuity/contract'
import { Type } from 'typebox'
import { answered, answeredText } from './answer.ts'
import type { Handler } from './bind.ts'
import { recordEtag, requireMatch } from './entity-tag.ts'
import { anEndpoint, aServer, put } from './testing/a-server.ts'
import { credentialHeaders } from './testing/credentials.ts'
import { assertProblem } from './testing/wire.ts'

const { getSeries, changeSeries, createSeries, deleteSeries } = operations
const record = getSeries.example.answer as AnswerOf<typeof getSeries>
const url = '/api/2.1/series/a'
const etag = recordEtag(7)

/** Text that our JSON printer would not produce, so that reprinted text is distinguishable. */
const keptText = ` ${JSON.stringify(record, null, 1)}\n`

test('an answer with an entity tag has an ETag header and is cacheable by the client only', async (t) => {
  const { server } = aServer(t)
  put(server, getSeries, () => answered(record, { etag }))

  const answer = await server.inject({ url, headers: credentialHeaders() })

  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['etag'], '"7"')
  assert.equal(answer.headers['cache-control'], 'private, no-cache')
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
  assert.deepEqual(answer.json(), record)
})

test('a plain body has neither ETag nor Cache-Control', async (t) => {
  const { server } = aServer(t)
  put(server, getSeries, () => record)

  const answer = await server.inject({ url, headers: credentialHeaders() })

  assert.equal(answer.headers['etag'], undefined)
  assert.equal(answer.headers['cache-control'], undefined)
})

test('a client with the current version gets 304', async (t) => {
  const { server } = aServer(t, { corsOrigins: ['https://app.example'] })
  put(server, getSeries, async () => answered(record, { etag }))

  for (const method of ['GET', 'HEAD'] as const) {
    for (const ifNoneMatch of ['"7"', 'W/"7"', '*', '"5", "7"']) {
      const headers = { ...credentialHeaders(), 'if-none-match': ifNoneMatch }
      const answer = await server.inject({ method, url, headers })
      assert.equal(answer.statusCode, 304, `${method} ${ifNoneMatch}`)
      assert.equal(answer.body, '')
      assert.equal(answer.headers['etag'], '"7"')
      assert.equal(answer.headers['cache-control'], 'private, no-cache')
      assert.equal(answer.headers['vary'], 'Origin, Accept-Encoding')
      assert.equal(answer.headers['content-type'], undefined)
    }
  }
})

test('a client with another version, or with an invalid tag, gets the record', async (t) => {
  const { server } = aServer(t)
  put(server, getSeries, () => answered(record, { etag }))

  for (const ifNoneMatch of ['"6"', '7', '', 'nonsense', '"77"']) {
    const answer = await server.inject({
      url,
      headers: { ...credentialHeaders(), 'if-none-match': ifNoneMatch },
    })
    assert.equal(answer.statusCode, 200, ifNoneMatch)
    assert.deepEqual(answer.json(), record)
  }
})

test('a compressed answer keeps its ETag, for use in If-Match', async (t) => {
  const { server } = aServer(t)
  const e = anEndpoint({ answer: { status: 200, description: 'Long.', schema: Type.String() } })
  put(server, e, () => answered('a'.repeat(2_000), { etag }))

  const headers = { 'accept-encoding': 'gzip' }
  const answer = await server.inject({ url: '/api/2.3/try', headers })

  assert.equal(answer.headers['content-encoding'], 'gzip')
  assert.equal(answer.headers['etag'], '"7"')
})

test('a change returns the new ETag and ignores If-None-Match', async (t) => {
  const { server } = aServer(t)
  put(server, changeSeries, () => answered(record, { etag: recordEtag(8) }))

  const answer = await server.inject({
    method: 'PATCH',
    url,
    headers: { ...credentialHeaders(), 'if-none-match': '"8"' },
    payload: changeSeries.example.body,
  })

  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['etag'], '"8"')
})

test('a change of a record that changed meanwhile is rejected', async (t) => {
  const { server } = aServer(t)
  put(server, deleteSeries, (call) => {
    requireMatch(call, etag)
    return undefined
  })
  const send = (ifMatch?: string) => {
    const headers = { ...credentialHeaders(), ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) }
    return server.inject({ method: 'DELETE', url, headers })
  }

  assert.equal((await send()).statusCode, 204)
  assert.equal((await send('"7"')).statusCode, 204)
  assertProblem(await send('"6"'), 412, 'record.changed')
})

test('prepared text is sent unchanged, with its ETag', async (t) => {
  const { server } = aServer(t)
  put(server, getSeries, () => answeredText(keptText, { etag }))

  const answer = await server.inject({ url, headers: credentialHeaders() })

  assert.equal(answer.statusCode, 200)
  assert.equal(answer.body, keptText)
  assert.equal(answer.headers['etag'], '"7"')
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
})

test('prepared text has the status of its operation', async (t) => {
  const { server } = aServer(t)
  put(server, createSeries, () => answeredText(keptText))
  put(server, deleteSeries, () => answeredText('', { status: 204 }))
  const headers = credentialHeaders()

  const payload = createSeries.example.body
  const made = await server.inject({ method: 'POST', url: '/api/2.1/series', headers, payload })
  const deleted = await server.inject({ method: 'DELETE', url, headers })

  assert.equal(made.statusCode, 201)
  assert.equal(deleted.statusCode, 204)
  assert.equal(deleted.body, '')
  assert.equal(deleted.headers['content-type'], undefined)
})

const broken: Readonly<Record<string, Handler<typeof getSeries>>> = {
  'a body with a tag': () => answered({ ...record, status: 'LOST' as never }, { etag }),
  'prepared text': () => answeredText(JSON.stringify({ ...record, status: 'LOST' })),
}

for (const [name, handler] of Object.entries(broken)) {
  test(`${name} is checked against the contract like a plain body`, async (t) => {
    const { server, log } = aServer(t)
    put(server, getSeries, handler)

    // Also when the client would have got 304.
    const answer = await server.inject({ url, headers: { ...credentialHeaders(), 'if-none-match': '*' } })

    assertProblem(answer, 500, 'internal.error')
    assert.equal(answer.headers['etag'], undefined)
    const line = await log.find(({ msg }) => msg === 'request failed')
    assert.match(JSON.stringify(line), /getSeries answered: \/status must be one of DRAFT/)
  })
}

test('an undeclared status breaks the contract, and so does text that is not JSON', async (t) => {
  const { server, log } = aServer(t)
  put(server, getSeries, () => answeredText(keptText, { status: 202 }))
  put(server, changeSeries, () => answeredText('{'))
  const headers = credentialHeaders()

  assertProblem(await server.inject({ url, headers }), 500, 'internal.error')
  const line = await log.find(({ msg }) => msg === 'request failed')
  assert.match(JSON.stringify(line), /getSeries answered: 202, and declares 200/)

  const payload = changeSeries.example.body
  assertProblem(await server.inject({ method: 'PATCH', url, headers, payload }), 500, 'internal.error')
})

test('prepared text is not parsed where answers are not checked', async (t) => {
  const { server } = aServer(t)
  put(server, getSeries, () => answeredText('{'), { checkAnswers: false })

  const answer = await server.inject({ url, headers: credentialHeaders() })

  assert.equal(answer.statusCode, 200)
  assert.equal(answer.body, '{')
})
