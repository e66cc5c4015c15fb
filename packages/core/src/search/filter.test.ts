import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Filter,
  type FilteredVideo,
  type FilterField,
  filterFields,
  isTooLarge,
  matchesFilter,
  readFilter,
} from './filter.ts'

const NOW_MS = Date.parse('2026-03-14T15:09:26.535Z')

const aVideo = (fields: Partial<FilteredVideo> = {}): FilteredVideo => ({
  video_id: '019cebb0-0000-7000-8000-000000000001',
  source_id: null,
  video_source_id: null,
  brand_id: null,
  channel_ids: [],
  series_id: null,
  season_number: null,
  episode_number: null,
  title: 'The Long Night',
  keywords: [],
  genres: [],
  audio_language: null,
  country_origin: null,
  content_format: null,
  content_type: null,
  cut: null,
  periodicity: null,
  parental_rating: null,
  duration: 2_640,
  date_published: null,
  date_available: null,
  date_expired: null,
  date_created: '2026-03-01T18:00:00.000Z',
  last_updated: '2026-03-02T18:00:00.000Z',
  status: 'READY',
  ...fields,
})

function read(input: unknown): Filter {
  const result = readFilter(input, NOW_MS)
  assert.equal(result.kind, 'filter', JSON.stringify(result))
  return result.kind === 'filter' ? result.filter : assert.fail()
}

function rejectionOf(input: unknown) {
  const result = readFilter(input, NOW_MS)
  return result.kind === 'rejected' ? result : assert.fail(`${JSON.stringify(input)} was accepted`)
}

const passes = (input: unknown, fields: Partial<FilteredVideo> = {}) =>
  matchesFilter(read(input), aVideo(fields))

test('a filter is parsed into its nodes', () => {
  const input = {
    and: [
      { or: [{ in: { genre: ['Drama', 'Crime'] } }, { not: { exists: 'series_id' } }] },
      { gte: { date_published: 'now-30d/d', duration: 60 } },
      { eq: { status: 'READY' } },
    ],
  }

  assert.deepEqual(read(input), {
    kind: 'and',
    of: [
      {
        kind: 'or',
        of: [
          { kind: 'in', field: 'genre', values: ['Drama', 'Crime'] },
          { kind: 'not', of: { kind: 'exists', field: 'series_id' } },
        ],
      },
      {
        kind: 'and',
        of: [
          { kind: 'compare', field: 'date_published', op: 'gte', value: Date.parse('2026-02-12T00:00:00Z') },
          { kind: 'compare', field: 'duration', op: 'gte', value: 60 },
        ],
      },
      { kind: 'in', field: 'status', values: ['READY'] },
    ],
  })
})

test('text is compared exactly', () => {
  assert.ok(passes({ eq: { title: 'The Long Night' } }))
  assert.ok(!passes({ eq: { title: 'the long night' } }))
  assert.ok(passes({ in: { brand_id: ['a', 'b'] } }, { brand_id: 'b' }))
  assert.ok(!passes({ in: { brand_id: ['a', 'b'] } }, { brand_id: 'B' }))
  assert.ok(!passes({ eq: { video_id: 'none' } }))
})

test('a field with several values matches if one of them does', () => {
  const fields = {
    channel_ids: ['c1', 'c2'],
    genres: [
      { genre: 'Drama', sub_genre: 'Crime' },
      { genre: 'News', sub_genre: '' },
    ],
    keywords: ['sea', 'ship'],
  }

  assert.ok(passes({ eq: { channel_id: 'c2', genre: 'News', sub_genre: 'Crime' } }, fields))
  assert.ok(passes({ in: { keywords: ['port', 'ship'] } }, fields))
  assert.ok(!passes({ in: { keywords: ['port', 'Ship'] } }, fields))
  assert.ok(!passes({ eq: { sub_genre: '' } }, fields))
})

test('numbers and times are ordered', () => {
  const fields = { episode_number: 5, date_available: '2026-03-01T00:00:00.000Z' }
  const outcomes = (field: string, value: unknown) =>
    ['gte', 'gt', 'lte', 'lt'].map((op) => passes({ [op]: { [field]: value } }, fields))

  assert.deepEqual(outcomes('episode_number', 4), [true, true, false, false])
  assert.deepEqual(outcomes('episode_number', 5), [true, false, true, false])
  assert.deepEqual(outcomes('episode_number', 5.5), [false, false, true, true])
  assert.deepEqual(outcomes('date_available', '2026-02-28T23:59:59.999Z'), [true, true, false, false])
  assert.deepEqual(outcomes('date_available', '2026-03-01T00:00:00Z'), [true, false, true, false])
  assert.ok(passes({ eq: { date_available: '2026-03-01T00:00:00Z', episode_number: 5 } }, fields))
})

test('a missing value matches no comparison, and so matches its negation', () => {
  for (const field of ['date_published', 'date_available', 'date_expired'] as const) {
    for (const op of ['gte', 'lte', 'gt', 'lt', 'eq'] as const) {
      assert.ok(!passes({ [op]: { [field]: 'now' } }), `${op} ${field}`)
      assert.ok(passes({ not: { [op]: { [field]: 'now' } } }), `not ${op} ${field}`)
    }
  }
  assert.ok(!passes({ lte: { season_number: 1e9 } }))
  assert.ok(passes({ not: { eq: { brand_id: 'a' } } }))
})

test('a field exists if it is neither null nor empty', () => {
  assert.ok(!passes({ exists: 'cut' }))
  assert.ok(!passes({ exists: 'cut' }, { cut: '' }))
  assert.ok(passes({ exists: 'cut' }, { cut: 'x' }))
  assert.ok(passes({ exists: 'season_number' }, { season_number: 0 }))
  assert.ok(!passes({ exists: 'channel_id' }))
  assert.ok(passes({ exists: 'channel_id' }, { channel_ids: ['c1'] }))
  assert.ok(passes({ exists: 'genre' }, { genres: [{ genre: 'News', sub_genre: '' }] }))
  assert.ok(!passes({ exists: 'sub_genre' }, { genres: [{ genre: 'News', sub_genre: '' }] }))
  assert.ok(!passes({ exists: 'date_expired' }))
  assert.ok(passes({ exists: 'date_created' }))
})

test('an invalid filter is rejected with a pointer to the fault', () => {
  const wrong: readonly (readonly [unknown, string, RegExp])[] = [
    [null, '', /exactly one of and, or/],
    ['x', '', /exactly one of/],
    [[], '', /exactly one of/],
    [{}, '', /exactly one of/],
    [{ eq: { title: 'x' }, exists: 'cut' }, '', /exactly one of/],
    [{ near: { title: 'x' } }, '', /exactly one of/],
    [{ toString: { title: 'x' } }, '', /exactly one of/],
    [{ and: [] }, '/and', /at least one filter/],
    [{ and: { eq: { title: 'x' } } }, '/and', /at least one filter/],
    [{ or: [{ exists: 'cut' }, { not: 5 }] }, '/or/1/not', /exactly one of/],
    [{ eq: {} }, '/eq', /one to 20 fields/],
    [{ eq: 'title' }, '/eq', /one to 20 fields/],
    [{ eq: { 'a/b~': 'x' } }, '/eq/a~1b~0', /name one of video_id/],
    [{ eq: { constructor: 'x' } }, '/eq/constructor', /name one of/],
    [JSON.parse('{"eq":{"__proto__":"x"}}'), '/eq/__proto__', /name one of/],
    [{ exists: 'description' }, '/exists', /name one of/],
    [{ exists: { title: true } }, '/exists', /name one of/],
    [{ eq: { title: 5 } }, '/eq/title', /a string/],
    [{ eq: { title: null } }, '/eq/title', /a string/],
    [{ eq: { title: ['x'] } }, '/eq/title', /a string/],
    [{ in: { title: 'x' } }, '/in/title', /at least one value/],
    [{ in: { title: [] } }, '/in/title', /at least one value/],
    [{ in: { title: ['x', true] } }, '/in/title/1', /a string/],
    [{ in: { duration: [1, '2'] } }, '/in/duration/1', /a number/],
    [{ gte: { duration: Number.POSITIVE_INFINITY } }, '/gte/duration', /a number/],
    [{ gte: { duration: Number.NaN } }, '/gte/duration', /a number/],
    [{ gte: { title: 5 } }, '/gte/title', /in or eq/],
    [{ lt: { genre: 'Drama' } }, '/lt/genre', /in or eq/],
    [{ gte: { date_published: 'yesterday' } }, '/gte/date_published', /now-30d/],
    [{ gte: { date_published: 1_772_388_000_000 } }, '/gte/date_published', /a time in UTC/],
    [{ in: { last_updated: ['now', '2026-02-30T00:00:00Z'] } }, '/in/last_updated/1', /a time in UTC/],
  ]

  for (const [input, pointer, message] of wrong) {
    const { reason, ...rest } = rejectionOf(input)
    assert.equal(reason, 'invalid', JSON.stringify(input))
    assert.equal(rest.pointer, pointer, JSON.stringify(input))
    assert.match(rest.message, message, JSON.stringify(input))
  }
})

const leaf = { exists: 'cut' }
const nested = (levels: number, way: (filter: unknown) => unknown) => {
  let filter: unknown = leaf
  for (let level = 1; level < levels; level += 1) filter = way(filter)
  return filter
}
const ways: readonly ((filter: unknown) => unknown)[] = [
  (filter) => ({ not: filter }),
  (filter) => ({ and: [filter] }),
  (filter) => ({ or: [filter] }),
]

test('ten levels are accepted, one more is too deep', () => {
  for (const way of ways) {
    read(nested(10, way))
    assert.equal(rejectionOf(nested(11, way)).reason, 'too_large')
  }
  assert.equal(rejectionOf(nested(11, (filter) => ({ not: filter }))).pointer, '/not'.repeat(10))
})

test('a hundred nodes are accepted, one more is too many', () => {
  const wide = (leaves: number) => ({ or: [{ and: Array.from({ length: leaves - 1 }, () => leaf) }, leaf] })

  read(wide(98))
  assert.equal(rejectionOf(wide(99)).reason, 'too_large')
})

test('500 values are accepted, one more is too many', () => {
  const many = (count: number) => ({ not: { in: { duration: [1], title: Array(count).fill('x') } } })

  read(many(500))
  assert.deepEqual(rejectionOf(many(501)), {
    kind: 'rejected',
    reason: 'too_large',
    pointer: '/not/in/title',
    message: 'must have at most 500 values',
  })
})

test('an operator accepts at most 20 fields', () => {
  const fields = Object.keys(filterFields).filter((field) =>
    filterFields[field as FilterField].startsWith('label'),
  )
  const eq = (names: readonly string[]) => ({ eq: Object.fromEntries(names.map((name) => [name, 'x'])) })

  read(eq(fields))
  const more = Array.from({ length: 21 }, (_, at) => `field${at}`)
  assert.equal(rejectionOf(eq(more)).pointer, '/eq')
})

test('isTooLarge works for any depth and width', () => {
  for (const way of ways) assert.ok(isTooLarge(nested(100_000, way)))
  assert.ok(isTooLarge({ and: Array.from({ length: 1_000_000 }, () => leaf) }))
  assert.ok(isTooLarge({ in: { title: Array(1_000_000).fill('x') } }))
  assert.ok(!isTooLarge(nested(10, ways[0]!)))
  assert.ok(!isTooLarge({ like: nested(100_000, ways[0]!) }))
})

const field = fc.constantFrom(...(Object.keys(filterFields) as FilterField[]))
const aValueOf = (of: FilterField): fc.Arbitrary<string | number> => {
  if (filterFields[of] === 'number') return fc.constantFrom(0, 1, 2, 2.5)
  if (filterFields[of] === 'time') return fc.constantFrom('now', 'now-1d', '2026-03-01T18:00:00Z')
  return fc.constantFrom('a', 'b', '')
}
const ordered = field.filter((of) => filterFields[of] === 'number' || filterFields[of] === 'time')
const condition = fc.oneof(
  field.map((of) => ({ exists: of })),
  field.chain((of) => aValueOf(of).map((value) => ({ eq: { [of]: value } }))),
  field.chain((of) => fc.array(aValueOf(of), { minLength: 1 }).map((values) => ({ in: { [of]: values } }))),
  fc
    .tuple(fc.constantFrom('gte', 'lte', 'gt', 'lt'), ordered)
    .chain(([op, of]) => aValueOf(of).map((value) => ({ [op]: { [of]: value } }))),
)
const { filter: anyFilter } = fc.letrec<{ filter: unknown }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 5 },
    condition,
    fc.record({ not: tie('filter') }),
    fc.record({ and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
  ),
}))
const video = fc
  .record({
    brand_id: fc.constantFrom('a', '', null),
    channel_ids: fc.subarray(['a', 'b']),
    episode_number: fc.constantFrom(1, 2, null),
    date_expired: fc.constantFrom('2026-03-01T18:00:00.000Z', null),
  })
  .map(aVideo)

test('either a filter or its negation matches, never both', () => {
  fc.assert(
    fc.property(anyFilter, video, (input, of) => {
      fc.pre(!isTooLarge({ not: input }))

      assert.notEqual(matchesFilter(read({ not: input }), of), matchesFilter(read(input), of))
    }),
  )
})

test('the negation of a conjunction is the disjunction of the negations', () => {
  fc.assert(
    fc.property(condition, condition, video, (one, other, of) => {
      const notBoth = read({ not: { and: [one, other] } })
      const notOne = read({ or: [{ not: one }, { not: other }] })

      assert.equal(matchesFilter(notBoth, of), matchesFilter(notOne, of))
    }),
  )
})

test('any JSON value is either parsed or rejected', () => {
  const words = fc.constantFrom(
    'and',
    'or',
    'not',
    'in',
    'eq',
    'gte',
    'exists',
    'title',
    'duration',
    'last_updated',
  )
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue(),
      words,
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(words, tie('json'), { maxKeys: 2 }),
    ),
  }))

  fc.assert(
    fc.property(json, (input) => {
      const result = readFilter(input, NOW_MS)

      if (result.kind === 'filter') matchesFilter(result.filter, aVideo())
      else assert.match(result.pointer, /^(\/.*)?$/s)
    }),
  )
})
