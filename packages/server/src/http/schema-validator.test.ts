import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@continuity/contract'
import { compileCheck } from './schema-validator.ts'

const checkIngest = compileCheck(operations.scheduleProgram.body)
const checkLogin = compileCheck(operations.login.body)
const checkSearch = compileCheck(operations.searchVideos.body)

const ingest = operations.scheduleProgram.example.body
const [video, adPod] = ingest.videos

test('a value that fits has no fault', () => {
  assert.deepEqual(checkIngest(ingest), [])
})

test('each fault has the pointer of its field and the requirement', () => {
  const faults = checkLogin({ account_name: '', email: 5, extra: true })

  assert.deepEqual(sortByPointer(faults), [
    { pointer: '/account_name', code: 'minLength', message: 'must NOT have fewer than 1 characters' },
    { pointer: '/email', code: 'type', message: 'must be string' },
    { pointer: '/extra', code: 'additionalProperties', message: 'is not a field of this' },
    { pointer: '/password', code: 'required', message: 'is missing' },
  ])
})

test('a fault in an item is reported for the kind of that item', () => {
  const { duration: _, ...withoutDuration } = adPod

  const faults = checkIngest({ ...ingest, videos: [video, withoutDuration] })

  assert.deepEqual(faults, [{ pointer: '/videos/1/duration', code: 'required', message: 'is missing' }])
})

test('an item of an unknown kind has one fault', () => {
  const faults = checkIngest({ ...ingest, videos: [{ type: 'SLATE', duration: 5 }] })

  assert.deepEqual(faults, [
    { pointer: '/videos/0/type', code: 'discriminator', message: 'must name one of the kinds of item' },
  ])
})

test('an item without a type is missing it', () => {
  const faults = checkIngest({ ...ingest, videos: [{ duration: 5 }] })

  assert.deepEqual(
    faults.map(({ pointer }) => pointer),
    ['/videos/0/type'],
  )
})

test('an enum fault lists all values', () => {
  const check = compileCheck(operations.listAlerts.query, '#query')

  assert.deepEqual(check({ severity: 'LOUD' }), [
    { pointer: '#query/severity', code: 'enum', message: 'must be one of INFO, WARNING, CRITICAL' },
  ])
})

test('a pattern fault uses the description, not the pattern', () => {
  const check = compileCheck(operations.listVideos.query, '#query')

  const [fault] = check({ sort: 'title' })

  assert.equal(fault?.pointer, '#query/sort')
  assert.match(
    fault?.message ?? '',
    /^must be of the form: One of date_published, .*, with \.ASC or \.DESC\.$/,
  )
})

test('pointers are escaped', () => {
  assert.deepEqual(
    checkSearch({ 'a/b~c': 1 }).map(({ pointer }) => pointer),
    ['/a~1b~0c'],
  )
})

test('a value has only its first fault', () => {
  const faults = checkIngest({ ...ingest, videos: [{ ...video, video_url: 'nowhere' }] })

  assert.deepEqual(faults, [
    { pointer: '/videos/0/video_url', code: 'pattern', message: 'must be an http or https address' },
  ])
})

test('a filter is checked at every depth', () => {
  const faults = checkSearch({ filter: { and: [{ not: { or: [{ like: { title: 'x' } }] } }] } })

  assert.deepEqual(faults, [
    {
      pointer: '/filter/and/0/not/or/0/like',
      code: 'additionalProperties',
      message: 'is not a field of this',
    },
  ])
})

test('at most twenty faults are reported', () => {
  const videos = Array.from({ length: 40 }, () => ({ type: 'AD_POD' }))

  assert.equal(checkIngest({ ...ingest, videos }).length, 20)
})

test('a large value with many faults gets only the first, so that it costs no more', () => {
  const fields = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`field_${i}`, i]))

  assert.equal(checkLogin(fields).length, 1)
})

const times = {
  '2026-03-01T18:00:00Z': true,
  '2026-03-01T18:00:00.123456789Z': true,
  '2024-02-29T00:00:00Z': true,
  // A valid time with an offset, which would be a second spelling of an instant.
  '2026-03-01T18:00:00+01:00': false,
  '2026-03-01T18:00:00+00:00': false,
  '2026-03-01T18:00:00': false,
  '2026-03-01 18:00:00Z': false,
  '2026-03-01T18:00:00z': false,
  '2026-03-01t18:00:00Z': false,
  // A leap second, which no Date can represent.
  '2016-12-31T23:59:60Z': false,
  '2026-03-01T24:00:00Z': false,
  '2026-02-30T18:00:00Z': false,
  '2025-02-29T00:00:00Z': false,
  '2026-13-01T18:00:00Z': false,
  '2026-03-01T18:00:00.Z': false,
  '2026-03-01T18:00:00.1234567890Z': false,
  '2026-03-01T18:00:00Z\n': false,
  '+002026-03-01T18:00:00Z': false,
  now: false,
}

test('a time is a real instant in UTC', () => {
  const check = compileCheck(operations.scheduleProgram.body.properties.schedule)

  for (const [text, isValid] of Object.entries(times)) {
    const faults = check({ start_time: text, duration_ms: 60_000 })
    assert.equal(faults.length === 0, isValid, text)
    if (!isValid) assert.equal(faults[0]?.message, 'must be an ISO 8601 time in UTC, ending in Z', text)
  }
})

test('a day is a day of the calendar', () => {
  const check = compileCheck(operations.reportInterstitials.query)
  const days = {
    '2026-02-28': true,
    '2024-02-29': true,
    '2026-02-30': false,
    '2026-02-29': false,
    '2026-00-10': false,
    '2026-1-1': false,
    '2026-03-01T00:00:00Z': false,
    '': false,
  }

  for (const [text, isValid] of Object.entries(days)) {
    assert.equal(check({ from: text, to: '2026-03-01' }).length === 0, isValid, text)
  }
})

test('an address has the scheme http or https', () => {
  const addresses = {
    'https://partner.example/a.mxf?x=1#y': true,
    'http://127.0.0.1:8080/': true,
    'https://user:pass@partner.example/a': true,
    'https://[::1]/a': true,
    'https://': false,
    'ftp://partner.example/a': false,
    'file:///etc/passwd': false,
    'javascript:alert(1)': false,
    '//partner.example/a': false,
    'partner.example/a': false,
    '/a': false,
    '': false,
    ' https://partner.example/a': false,
    // The URL parser drops these silently, and they would start a new line in a playlist.
    'https://partner.example/a\nb': false,
    'https://partner.example/a\u0000b': false,
  }

  for (const [text, isValid] of Object.entries(addresses)) {
    const faults = checkIngest({ ...ingest, videos: [{ ...video, video_url: text }] })
    assert.equal(faults.length === 0, isValid, text)
  }
})

function sortByPointer<T extends { readonly pointer: string }>(faults: readonly T[]): T[] {
  return faults.toSorted((a, b) => a.pointer.localeCompare(b.pointer))
}
