import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { errorsOf, type OpenApiDocument, operationList } from '@continuity/contract'
import Fastify from 'fastify'
import { errorTable } from '../app/error-table.ts'
import { serveReference } from './reference.ts'

const server = Fastify()
serveReference(server, errorTable)
const documents = new Map<string, OpenApiDocument>()

before(async () => {
  for (const version of ['2.1', '2.3']) {
    documents.set(version, (await server.inject(`/docs/${version}.json`)).json())
  }
})

test('every operation states its roles, and its error codes with an example of each', () => {
  for (const e of operationList) {
    const { paths, components } = documents.get(e.version)!
    const operation = paths[e.path]?.[e.method.toLowerCase()]
    const badges = (operation as { 'x-badges'?: { name: string }[] })['x-badges']?.map(({ name }) => name)
    const roles = typeof e.access === 'string' ? [] : e.access
    for (const role of roles) {
      assert.ok(badges?.includes(role) && operation?.description?.includes(`\`${role}\``), `${e.id} ${role}`)
    }
    for (const [code, status] of Object.entries({ ...e.errors })) {
      const response = operation!.responses[status]
      assert.ok(response)
      assert.ok(response.description.includes(`\`${code}\``), `${e.id} ${code}`)
      const content = response.content?.['application/problem+json'] as { examples?: object }
      assert.ok(content.examples !== undefined && code in content.examples, `${e.id} ${code}`)
      assert.ok(code in (components['examples'] as object), code)
    }
  }
})

test('the guide of both documents explains every error code, also those that any operation may return', () => {
  const codes = new Set([
    ...errorTable.map(({ code }) => code),
    ...operationList.flatMap((e) => Object.keys(errorsOf(e))),
  ])

  assert.ok(codes.size > 50)
  for (const { info } of documents.values()) {
    for (const code of codes) assert.ok(String(info['description']).includes(`| \`${code}\` |`), code)
  }
})

test('the published documents have nothing of the page', async () => {
  const { body } = await server.inject('/openapi/2.1.json')

  assert.ok(!body.includes('x-badges') && !body.includes('Getting started'))
})

test('the script of the page is served compressed and may be cached permanently', async () => {
  const page = (await server.inject('/docs')).body
  const address = /\/docs\/scalar-[\d.]+\.js/.exec(page)![0]
  const get = async (encoding: string) => {
    const { rawPayload, headers } = await server.inject({
      url: address,
      headers: { 'accept-encoding': encoding },
    })
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    return { bytes: rawPayload, encoding: headers['content-encoding'] }
  }
  const [plain, gzip, zstd] = await Promise.all(['identity', 'gzip', 'zstd, gzip'].map(get))

  assert.deepEqual([plain?.encoding, gzip?.encoding, zstd?.encoding], [undefined, 'gzip', 'zstd'])
  assert.ok(gunzipSync(gzip!.bytes).equals(plain!.bytes))
  assert.ok(zstdDecompressSync(zstd!.bytes).equals(plain!.bytes))
  assert.ok(zstd!.bytes.length < 1_500_000, `${zstd!.bytes.length} bytes`)
})
