import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsOf } from './definition/error-responses.ts'
import { openApiDocument } from './openapi.ts'
import { operationList, operations } from './operations.ts'
import { eventKinds } from './schemas/event.ts'

const documents = { '2.1': openApiDocument('2.1'), '2.3': openApiDocument('2.3') }

test('every operation is in the document of its version, at its path and its aliases', () => {
  for (const e of operationList) {
    for (const path of [e.path, ...(e.aliases ?? [])]) {
      assert.ok(find(e.version, path, e.method) !== undefined, `${e.method} ${path}`)
    }
  }
})

test('an alias has an id of its own and names the operation that it is', () => {
  const alias = find('2.3', '/live_sources/list', 'GET')

  assert.equal(alias?.['x-alias-of'], 'listLiveSources')
  assert.match(alias?.operationId ?? '', /^listLiveSourcesAt\w+$/)
  assert.deepEqual(alias?.parameters, find('2.3', '/live_sources', 'GET')?.parameters)
})

test('no id is used twice in a document', () => {
  for (const { paths } of Object.values(documents)) {
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map((o) => o.operationId))
    assert.equal(new Set(ids).size, ids.length)
  }
})

test('every reference leads somewhere', () => {
  for (const document of Object.values(documents)) {
    const known = new Set(
      Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`),
    )
    const used = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!)
    assert.ok(used.length > 0)
    assert.deepEqual(
      used.filter((ref) => !known.has(ref)),
      [],
    )
  }
})

test('a discriminator maps each of its values to a schema', () => {
  const { discriminator } = documents['2.1'].components.schemas['IngestItem'] as { discriminator: unknown }

  assert.deepEqual(discriminator, {
    propertyName: 'type',
    mapping: { VIDEO: '#/components/schemas/VideoItem', AD_POD: '#/components/schemas/AdPodItem' },
  })
})

test('each document shows the credential headers in the spelling of its version', () => {
  const namesIn = (version: '2.1' | '2.3') => {
    const schemes = documents[version].components['securitySchemes'] as Record<
      string,
      { name: string; in: string }
    >
    return Object.values(schemes).map((scheme) => `${scheme.in} ${scheme.name}`)
  }

  assert.deepEqual(namesIn('2.1'), ['header X-Service-Auth', 'header X-Service-Device'])
  assert.deepEqual(namesIn('2.3'), ['header x-service-auth', 'header x-service-deviceid'])
})

test('an operation requires both headers, unless it is public', () => {
  for (const e of operationList) {
    const wanted = e.access === 'public' ? [] : [{ credential: [], device: [] }]
    assert.deepEqual(find(e.version, e.path, e.method)?.security, wanted, e.id)
  }
})

test('an operation states who may call it', () => {
  for (const e of operationList) {
    assert.deepEqual(find(e.version, e.path, e.method)?.['x-access'], e.access, e.id)
  }
  assert.deepEqual(find('2.3', '/reports/analytics', 'GET')?.['x-access'], ['SCHEDULE'])
})

test('parameters are required in the path, and in the query only where they have to be given', () => {
  const { parameters } = find('2.1', '/series/{series_id}/videos', 'GET')!

  assert.deepEqual(
    parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`),
    [
      'path series_id true',
      'query media_type false',
      'query episode false',
      'query sort false',
      'query page_size false',
      'query page_offset false',
    ],
  )
})

test('a body that may be left out is not required, and one that is not read is not shown', () => {
  assert.equal(find('2.3', '/linear_channels/{linear_channel_id}/stop', 'PUT')?.requestBody?.required, false)
  assert.equal(find('2.1', '/automation/schedule', 'POST')?.requestBody?.required, true)
  assert.equal(find('2.3', '/live_sources/{live_source_id}/adbreak/end', 'POST')?.requestBody, undefined)
})

test('a report is available in each of its formats', () => {
  const { content } = find('2.3', '/reports/analytics', 'GET')!.responses['200']!

  assert.deepEqual(Object.keys(content!), ['application/json', 'text/csv', 'application/x-ndjson'])
})

test('a stream of events names the schema of each kind', () => {
  const { content } = find('2.3', '/events', 'GET')!.responses['200']!
  const { discriminator } = documents['2.3'].components.schemas['Event'] as {
    discriminator: { mapping: object }
  }

  assert.deepEqual(content!['text/event-stream']?.['x-event'], { $ref: '#/components/schemas/Event' })
  assert.deepEqual(Object.keys(discriminator.mapping), Object.keys(eventKinds))
})

test('headers that an operation honours are shown with it', () => {
  const headersOf = (path: string, method: string) =>
    find('2.1', path, method)!
      .parameters.filter((p) => p.in === 'header')
      .map(({ name }) => name)

  assert.deepEqual(headersOf('/playlists/{playlist_id}/videos', 'PUT'), ['Idempotency-Key', 'If-Match'])
  assert.deepEqual(headersOf('/series/{series_id}', 'PATCH'), ['If-Match'])
  assert.deepEqual(headersOf('/series', 'GET'), [])
})

test('every error response is a problem, and the stable codes are named', () => {
  const { responses } = find('2.1', operations.scheduleProgram.path, 'POST')!

  assert.match(responses['409']!.description, /`schedule\.overlap`/)
  assert.match(responses['422']!.description, /`schedule\.too_late`; `schedule\.too_long`/)
  for (const [status, { content }] of Object.entries(responses)) {
    if (status === '202') continue
    assert.deepEqual(content, {
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    })
  }
})

test('what operations share is named with each of them, and taken from one place', () => {
  const reusedKey = (version: '2.1' | '2.3', path: string, method: string) =>
    find(version, path, method)?.responses['422']?.description.includes('`idempotency.key_reused`') ?? false

  for (const e of operationList) {
    assert.match(find(e.version, e.path, e.method)!.responses['503']!.description, /database\.unavailable/)
    assert.equal(reusedKey(e.version, e.path, e.method), e.idempotencyKey === true, e.id)
    assert.deepEqual(Object.keys(e.errors ?? {}).filter(isCommon), [], `${e.id} repeats what all share`)
  }
})

function isCommon(code: string): boolean {
  return code in errorsOf({ ...operations.createBrand, errors: {} })
}

function find(version: '2.1' | '2.3', path: string, method: string) {
  return documents[version].paths[path]?.[method.toLowerCase()]
}
