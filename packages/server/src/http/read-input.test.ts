import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, operations } from '@continuity/contract'
import fc from 'fast-check'
import { AppError } from '../platform/errors.ts'
import { compileInput, type Input, type RawRequest } from './read-input.ts'

const jsonHeaders = { 'content-type': 'application/json' }

const readLogin = inputOf(operations.login)
const readSearch = inputOf(operations.searchVideos)
const readVideos = inputOf(operations.listVideos)
const readSources = inputOf(operations.listLiveSources)
const readAnalytics = inputOf(operations.reportAnalytics)
const readIngest = inputOf(operations.scheduleProgram)
const readOverride = inputOf(operations.overrideChannels)
const readActivate = inputOf(operations.activateLiveSource)
const readStop = inputOf(operations.stopLinearChannel)
const readBreakEnd = inputOf(operations.endAdBreak)
const readBreakInsert = inputOf(operations.insertAdBreak)

const source = { params: { live_source_id: 'source-1' } }
const channel = { params: { linear_channel_id: 'channel-1' } }

test('parameters are parsed by their type', () => {
  const { query } = readAnalytics({
    query: { from: '2026-03-01', to: '2026-03-02', include_countries: 'true', time_frame: 'minute' },
  })

  assert.deepEqual(query, {
    from: '2026-03-01',
    to: '2026-03-02',
    include_countries: true,
    time_frame: 'minute',
  })
})

test('missing parameters have their defaults', () => {
  assert.deepEqual(readVideos({ query: {} }).query, {
    media_type: 'mp4',
    sort: 'date_published.DESC',
    page_size: 30,
  })
  assert.deepEqual(readSources({ query: {} }).query, {
    status: 'ALL',
    source_type: 'ALL',
    page_size: 30,
    page_offset: 0,
  })
})

test('an unknown parameter is ignored', () => {
  const { query } = readVideos({ query: { utm_source: 'mail', page_size: '5' } })

  assert.equal(query['page_size'], 5)
  assert.ok(!('utm_source' in query))
})

test('a repeated parameter is rejected', () => {
  const problem = errorOf(() => readVideos({ query: { page_size: ['5', '5'] } }))

  assert.deepEqual(problem.faults, [
    { pointer: '#query/page_size', code: 'repeated', message: 'must be given once' },
  ])
})

test('a repeated required parameter has one fault and is not reported as missing', () => {
  const given = { from: ['2026-03-01', '2026-03-01'], to: '2026-03-02' }
  const nul = { from: '2026-03-01\0', to: '2026-03-02' }

  const repeated = errorOf(() => readAnalytics({ query: given }))
  const unreadable = errorOf(() => readAnalytics({ query: nul }))

  assert.deepEqual(
    [repeated, unreadable].map(({ faults }) => faults?.map(({ pointer, code }) => [pointer, code])),
    [[['#query/from', 'repeated']], [['#query/from', 'nul']]],
  )
})

test('a page size is 1 to 50, and other values are not adjusted', () => {
  for (const text of ['1', '30', '50', '05']) {
    assert.equal(readVideos({ query: { page_size: text } }).query['page_size'], Number(text))
  }

  for (const text of [
    '0',
    '51',
    '-1',
    'x',
    '1e1',
    ' 5',
    '5 ',
    '+5',
    '5.0',
    '0x5',
    '',
    '99999999999999999999',
    '٥',
  ]) {
    const problem = errorOf(() => readVideos({ query: { page_size: text } }))
    assert.equal(problem.kind.code, 'request.invalid', text)
    assert.equal(problem.faults?.[0]?.pointer, '#query/page_size', text)
  }
})

test('a boolean is exactly true or false', () => {
  for (const text of ['1', 'yes', 'TRUE', '', 'null']) {
    const query = { from: '2026-03-01', to: '2026-03-01', include_countries: text }
    assert.equal(errorOf(() => readAnalytics({ query })).kind.code, 'request.invalid', text)
  }
})

test('a missing required parameter is named', () => {
  const problem = errorOf(() => readAnalytics({ query: { from: '2026-03-01' } }))

  assert.deepEqual(problem.faults, [{ pointer: '#query/to', code: 'required', message: 'is missing' }])
})

test('a status that is not in the enum is rejected, and so is one in another case', () => {
  for (const status of ['active', 'GONE', '']) {
    assert.equal(errorOf(() => readSources({ query: { status } })).kind.code, 'request.invalid', status)
  }
})

test('faults of path, query and body are reported together', () => {
  const problem = errorOf(() =>
    readBreakInsert({ params: { live_source_id: 'a\u0007' }, ...json({ duration: 0 }) }),
  )

  assert.deepEqual(
    problem.faults?.map(({ pointer }) => pointer),
    ['#path/live_source_id', '/duration'],
  )
})

test('an unknown field is rejected by name', () => {
  const problem = errorOf(() => readLogin(json({ ...operations.login.example.body, remember: true })))

  assert.deepEqual(problem.faults, [
    { pointer: '/remember', code: 'additionalProperties', message: 'is not a field of this' },
  ])
})

test('further fields of a VIDEO reach the handler, those of an AD_POD do not', () => {
  const { body } = operations.scheduleProgram.example
  const [video, adPod] = body.videos

  const input = readIngest(json({ ...body, videos: [{ ...video, house_number: 'H-7' }] }))
  const problem = errorOf(() => readIngest(json({ ...body, videos: [{ ...adPod, house_number: 'H-7' }] })))

  assert.equal((input.body as { videos: { house_number?: string }[] }).videos[0]?.house_number, 'H-7')
  assert.equal(problem.faults?.[0]?.pointer, '/videos/0/house_number')
})

test('a client may echo what the channel listing gave it', () => {
  const [listed] = operations.listLinearChannels.example.answer

  const { body } = readOverride({ ...source, ...json([listed]) })

  assert.deepEqual(body, [listed])
})

test('the end of an ad break accepts any body or none', () => {
  const bodies: readonly Partial<RawRequest>[] = [
    {},
    json({}),
    json({ status_code: 200, duration: 60 }),
    json([1, 2]),
    { body: Buffer.from('not json'), headers: { 'content-type': 'text/plain' } },
    { body: Buffer.from([0xff, 0x00]) },
    { body: Buffer.from('{}'), headers: { ...jsonHeaders, 'content-encoding': 'gzip' } },
  ]

  for (const given of bodies) assert.equal(readBreakEnd({ ...source, ...given }).body, undefined)
})

test('an operation without a body accepts none, or an empty object', () => {
  assert.equal(readActivate({ ...source }).body, undefined)
  assert.equal(readActivate({ ...source, headers: jsonHeaders }).body, undefined)
  assert.equal(readActivate({ ...source, ...text('') }).body, undefined)
  assert.equal(readActivate({ ...source, ...text(' {} ') }).body, undefined)

  for (const content of ['{"a":1}', '[]', 'null', '0', '""']) {
    const problem = errorOf(() => readActivate({ ...source, ...text(content) }))
    assert.deepEqual(problem.faults, [{ pointer: '', code: 'unexpected', message: 'must be empty' }], content)
  }
})

test('an optional body may be missing', () => {
  assert.equal(readStop({ ...channel }).body, undefined)
  assert.equal(readStop({ ...channel, headers: jsonHeaders, body: Buffer.alloc(0) }).body, undefined)
  assert.deepEqual(readStop({ ...channel, ...json({ immediate: true }) }).body, { immediate: true })
})

test('a missing required body is reported as missing', () => {
  const problem = errorOf(() => readLogin({ headers: jsonHeaders }))

  assert.equal(problem.message, 'body is missing')
  assert.deepEqual(problem.faults, [{ pointer: '', code: 'required', message: 'is missing' }])
})

test('JSON is recognised by its content type, in any spelling', () => {
  const body = Buffer.from('{}')
  const accepted = [
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset = "utf-8"',
    ' application/json ',
  ]
  const rejected = [
    undefined,
    '',
    'text/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/problem+json',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json, application/json',
    'multipart/form-data; boundary=application/json',
  ]

  const typed = (type: string | undefined) => (type === undefined ? {} : { 'content-type': type })

  for (const contentType of accepted)
    assert.equal(readStop({ ...channel, body, headers: typed(contentType) }).body instanceof Object, true)
  for (const contentType of rejected) {
    const problem = errorOf(() => readStop({ ...channel, body, headers: typed(contentType) }))
    assert.equal(problem.kind.code, 'body.unsupported_type', contentType)
  }
})

test('a compressed body is rejected without decompressing it', () => {
  const encoded = (encoding: string) => ({
    ...json({}),
    headers: { ...jsonHeaders, 'content-encoding': encoding },
  })

  for (const encoding of ['gzip', 'br', 'identity, gzip', 'zstd']) {
    const problem = errorOf(() => readLogin(encoded(encoding)))
    assert.equal(problem.kind.code, 'body.unsupported_type', encoding)
  }
  assert.deepEqual(readStop({ ...channel, ...encoded('identity') }).body, {})
})

test('bytes that are not UTF-8 are rejected, and a byte order mark is ignored', () => {
  const wrong: readonly Buffer[] = [
    Buffer.from([0x22, 0xff, 0x22]),
    // Overlong encoding of a slash, and half of a surrogate pair.
    Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
    Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    Buffer.from('{}', 'utf16le'),
  ]

  for (const body of wrong) {
    assert.equal(errorOf(() => readLogin({ headers: jsonHeaders, body })).kind.code, 'request.malformed')
  }
  assert.deepEqual(readStop({ ...channel, ...text('\uFEFF{"immediate":false}') }).body, { immediate: false })
})

test('text that is not JSON is rejected, also where JavaScript would accept it', () => {
  const wrong = [
    '{',
    '{"a":NaN}',
    '{"a":Infinity}',
    "{'a':1}",
    '{"a":1,}',
    '{} {}',
    'undefined',
    '\u0000',
    '{"a":01}',
  ]

  for (const content of wrong) {
    assert.equal(errorOf(() => readLogin(text(content))).kind.code, 'request.malformed', content)
  }
})

test('a number that is too large is out of bounds', () => {
  for (const duration of ['1e400', '-1e400', '9007199254740993', '1e15']) {
    const problem = errorOf(() => readBreakInsert({ ...source, ...text(`{"duration":${duration}}`) }))
    assert.equal(problem.faults?.[0]?.pointer, '/duration', duration)
  }
  const filter = errorOf(() => readSearch({ query: {}, ...text('{"filter":{"lte":{"duration":1e400}}}') }))
  assert.equal(filter.kind.code, 'request.invalid')
})

test('the last value of a repeated field counts', () => {
  const { body } = readBreakInsert({ ...source, ...text('{"duration":10,"duration":20}') })

  assert.deepEqual(body, { duration: 20 })
})

test('prototype keys are rejected, in any spelling and at any depth', () => {
  const { body } = operations.scheduleProgram.example
  const poisoned = [
    '{"__proto__":{"immediate":true}}',
    '{"\\u005f_proto__":{"immediate":true}}',
    '{"constructor":{"prototype":{"immediate":true}}}',
    JSON.stringify({ ...body, videos: [{ ...body.videos[0], PLACE: 1 }] }).replace(
      '"PLACE":1',
      '"__proto__":{"a":1}',
    ),
  ]

  for (const content of poisoned) {
    assert.equal(errorOf(() => readIngest(text(content))).kind.code, 'request.malformed', content)
  }
  assert.equal(({} as { immediate?: true }).immediate, undefined)
})

test('a body nests 32 levels at most', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  const tooDeep = errorOf(() => readLogin(text(nested(33))))
  const deepEnough = errorOf(() => readLogin(text(nested(32))))

  assert.match(tooDeep.message, /nests deeper than 32 levels/)
  assert.equal(deepEnough.kind.code, 'request.invalid')
  for (const content of [
    nested(100_000),
    '['.repeat(100_000),
    '{"a":'.repeat(100_000),
    ']['.repeat(100_000),
  ]) {
    assert.equal(errorOf(() => readLogin(text(content))).kind.code, 'request.malformed')
  }
})

test('a lone surrogate is rejected and a surrogate pair is accepted, in any spelling', () => {
  const read = (text: string) =>
    readSearch({ query: {}, ...json({}), body: Buffer.from(`{"query":"${text}"}`) })

  for (const text of ['\\ud800', '\\udc00', 'a\\uDBFFb', '\\ud83d\\ud83d', '\\ude00\\ud83d', '\\ud83d\\n']) {
    assert.match(errorOf(() => read(text)).message, /lone surrogate/, text)
  }
  for (const text of ['\\ud83d\\ude00', '\\uD83D\\uDE00', '\\\\ud800', '\\u00e9', '😀']) {
    assert.equal(typeof (read(text).body as { query: string }).query, 'string', text)
  }
})

test('a NUL, which PostgreSQL cannot store, is rejected everywhere', () => {
  const problem = errorOf(() => readVideos({ query: { page_offset: 'a\0b' } }))

  assert.deepEqual(problem.faults, [
    { pointer: '#query/page_offset', code: 'nul', message: 'must not contain a NUL character' },
  ])
  assert.match(errorOf(() => readSearch({ query: {}, ...json({ query: 'a\0b' }) })).message, /NUL/)
  assert.deepEqual(readSearch({ query: {}, ...json({ query: 'a\\u0000b' }) }).body, { query: 'a\\u0000b' })
})

test('brackets inside strings do not count', () => {
  const query = `${'[{'.repeat(100)}\\"]`

  const { body } = readSearch({ query: {}, ...json({ query }) })

  assert.deepEqual(body, { query })
})

test('a large body full of faults is rejected at the first of them', () => {
  const { body } = operations.scheduleProgram.example
  const videos = Array.from({ length: 1_000 }, (_, i) => ({ type: 'VIDEO', title: i, video_url: 'x' }))

  const problem = errorOf(() => readIngest(json({ ...body, videos })))

  assert.equal(problem.faults?.length, 1)
})

test('a body of five megabytes made of faults is rejected within 1.5 s of processor time', () => {
  const videos = `{"type":"VIDEO","title":0},`.repeat(190_000)
  const large = text(`{"videos":[${videos}{}]}`)
  const before = process.cpuUsage()

  const problem = errorOf(() => readIngest(large))

  const { user, system } = process.cpuUsage(before)
  assert.ok(problem.faults!.length <= 20)
  // Processor time, so that a busy machine does not fail the test.
  assert.ok(user + system < 1_500_000, `${user + system} µs`)
})

test('a small body gets all of its faults, up to twenty', () => {
  const { body } = operations.scheduleProgram.example
  const videos = Array.from({ length: 30 }, () => ({ type: 'VIDEO' }))

  const problem = errorOf(() => readIngest(json({ ...body, videos })))

  assert.equal(problem.faults?.length, 20)
})

test('any input is accepted or rejected with a client error', () => {
  const bytes = fc.oneof(
    fc.json({ maxDepth: 4 }).map((content) => Buffer.from(content)),
    fc.string().map((content) => Buffer.from(content)),
    fc.uint8Array({ maxLength: 200 }).map((content) => Buffer.from(content)),
  )
  const query = fc.dictionary(fc.constantFrom('page_size', 'page_offset', 'media_type', 'other'), fc.string())

  fc.assert(
    fc.property(bytes, query, (body, given) => {
      try {
        readSearch({ headers: jsonHeaders, body, query: given })
      } catch (error) {
        assert.ok(error instanceof AppError)
        assert.equal(error.kind.status, 400)
      }
    }),
  )
})

test('an Idempotency-Key has 1 to 255 visible characters and is passed unchanged', () => {
  const keyOf = (key: string) => readStop({ ...channel, headers: { 'idempotency-key': key } }).idempotencyKey

  assert.equal(readStop({ ...channel }).idempotencyKey, undefined)
  for (const key of ['a', '"8e03978e"', '!~', 'x'.repeat(255)]) assert.equal(keyOf(key), key)
  for (const key of ['', ' ', 'a b', 'a, b', 'a\tb', 'é', '\u007f', 'x'.repeat(256)]) {
    const problem = errorOf(() => keyOf(key))
    assert.equal(problem.kind.code, 'request.invalid')
    assert.deepEqual(problem.faults, [
      {
        pointer: '#header/Idempotency-Key',
        code: 'pattern',
        message: 'must be 1 to 255 visible ASCII characters',
      },
    ])
  }
})

test('an Idempotency-Key is ignored where it is not supported', () => {
  const { idempotencyKey } = readLogin({
    ...json(operations.login.example.body),
    headers: { ...jsonHeaders, 'idempotency-key': 'a b' },
  })

  assert.equal(idempotencyKey, undefined)
})

test('an invalid Idempotency-Key is reported with the other faults', () => {
  const problem = errorOf(() =>
    readIngest({ ...json({}), headers: { ...jsonHeaders, 'idempotency-key': '' } }),
  )

  const pointers = problem.faults!.map(({ pointer }) => pointer)
  assert.ok(pointers.includes('/source_id'))
  assert.equal(pointers.at(-1), '#header/Idempotency-Key')
})

function inputOf(e: Endpoint): (raw: Partial<RawRequest>) => Input {
  const read = compileInput(e)
  return (raw) => read({ params: {}, query: {}, headers: {}, body: undefined, ...raw })
}

const json = (value: unknown) => text(JSON.stringify(value))
const text = (content: string) => ({ headers: jsonHeaders, body: Buffer.from(content) })

function errorOf(read: () => unknown): AppError {
  try {
    read()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  return assert.fail('it was accepted')
}
