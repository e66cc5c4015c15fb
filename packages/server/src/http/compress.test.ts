import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { chooseEncoding } from './compress.ts'
import { aServer, type TestServer } from './testing/a-server.ts'

const large = 'Ferries leave föhr at night. '.repeat(100)
const small = 'Ferries leave at night.'

function serve(
  server: TestServer['server'],
  content: string | Buffer,
  type = 'application/json; charset=utf-8',
): void {
  server.get('/text', (_request, reply) => reply.type(type).send(content))
}

const get = (server: TestServer['server'], encoding?: string, method: 'GET' | 'HEAD' = 'GET') =>
  server.inject({
    method,
    url: '/text',
    headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
  })

test('a large answer is decoded unchanged from each encoding', async (t) => {
  const { server } = aServer(t)
  serve(server, large)

  const zstd = await get(server, 'gzip, zstd')
  const gzip = await get(server, 'gzip, br')

  assert.equal(zstd.headers['content-encoding'], 'zstd')
  assert.equal(zstdDecompressSync(zstd.rawPayload).toString(), large)
  assert.equal(gzip.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(gzip.rawPayload).toString(), large)
  assert.equal(gzip.headers['content-length'], String(gzip.rawPayload.length))
})

test('a client that accepts none of our encodings gets the answer unencoded', async (t) => {
  const { server } = aServer(t)
  serve(server, large)

  for (const encoding of [undefined, '', 'br', 'identity', 'gzip;q=0', 'gzip; q=0.0, zstd;q=0.000', '*']) {
    const answer = await get(server, encoding)
    assert.equal(answer.headers['content-encoding'], undefined, encoding)
    assert.equal(answer.body, large, encoding)
  }
})

test('every compressible answer has Vary', async (t) => {
  const { server } = aServer(t, { corsOrigins: ['https://north.example'] })
  serve(server, large)

  assert.equal((await get(server)).headers['vary'], 'Origin, Accept-Encoding')
  assert.equal((await get(server, 'gzip')).headers['vary'], 'Origin, Accept-Encoding')
})

test('a small answer is not compressed', async (t) => {
  const { server } = aServer(t)
  serve(server, small)

  const answer = await get(server, 'gzip')

  assert.equal(answer.headers['content-encoding'], undefined)
  assert.equal(answer.headers['vary'], undefined)
  assert.equal(answer.body, small)
})

test('images and already compressed answers are not compressed', async (t) => {
  const picture = aServer(t).server
  serve(picture, Buffer.from(large), 'image/png')
  const done = aServer(t).server
  done.get('/text', (_request, reply) =>
    reply.type('application/json').header('content-encoding', 'br').send(Buffer.from(large)),
  )

  assert.equal((await get(picture, 'gzip')).headers['content-encoding'], undefined)
  assert.equal((await get(done, 'gzip')).headers['content-encoding'], 'br')
  assert.equal((await get(done, 'gzip')).body, large)
})

test('bytes are compressed like text', async (t) => {
  const { server } = aServer(t)
  serve(server, Buffer.from(large), 'text/javascript; charset=utf-8')

  const answer = await get(server, 'zstd')

  assert.equal(zstdDecompressSync(answer.rawPayload).toString(), large)
})

test('a large problem is compressed and stays a problem', async (t) => {
  const { server } = aServer(t)

  const answer = await server.inject({ url: `/${'a'.repeat(3_000)}`, headers: { 'accept-encoding': 'gzip' } })

  assert.equal(answer.statusCode, 404)
  assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8')
  const problem = JSON.parse(gunzipSync(answer.rawPayload).toString()) as { code: string }
  assert.equal(problem.code, 'route.not_found')
})

test('HEAD has the same headers as GET', async (t) => {
  const { server } = aServer(t)
  serve(server, large)

  const [got, head] = [await get(server, 'gzip'), await get(server, 'gzip', 'HEAD')]

  assert.equal(head.body, '')
  for (const name of ['content-encoding', 'content-length', 'content-type', 'vary']) {
    assert.equal(head.headers[name], got.headers[name], name)
  }
})

test('the preferred encoding of those that the client accepts is chosen', () => {
  const cases: readonly (readonly [string | string[] | undefined, string | undefined])[] = [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'gzip'],
    ['GZIP', 'gzip'],
    ['zstd;q=0.5, gzip', 'zstd'],
    ['zstd;q=0, gzip;q=0.1', 'gzip'],
    [' gzip ; q=1.0', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['x-gzip', undefined],
    [',,', undefined],
    [['gzip'], undefined],
    [undefined, undefined],
  ]

  for (const [accept, encoding] of cases) assert.equal(chooseEncoding(accept), encoding, String(accept))
})
