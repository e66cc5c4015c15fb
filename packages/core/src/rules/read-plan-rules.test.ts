import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPlanRules } from './read-plan-rules.ts'

const block = {
  id: 'prime',
  times: [{ from: '20:00', to: '21:00' }],
  content: { series_ids: ['s1'] },
  order: 'NEXT_EPISODE',
}

test('a document with the required fields alone has defaults for the rest', () => {
  const result = readPlanRules({ time_zone: 'Europe/Berlin', blocks: [block] })

  const breaks = {
    at: 'NONE',
    every_minutes: 15,
    length_seconds: 120,
    most_per_hour: null,
    from_start_minutes: 3,
    from_end_minutes: 3,
    before_playlist_id: null,
    after_playlist_id: null,
  }
  assert.deepEqual(result, {
    kind: 'rules',
    rules: {
      time_zone: 'Europe/Berlin',
      horizon_days: 14,
      blocks: [
        {
          ...block,
          track: 'main',
          at_end: 'REPEAT',
          title: null,
          priority: 0,
          days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'],
          first_date: null,
          last_date: null,
          starts: 'NONE',
          breaks,
          most: null,
          rest: 'DEFAULT',
        },
      ],
      default: null,
      starts: 'NONE',
      breaks,
      separation: [],
      ratings: [],
      availability: [],
    },
  })
})

test('a block without starts and breaks of its own has those of the document', () => {
  const input = {
    time_zone: 'UTC',
    starts: 'HOUR',
    breaks: { at: 'BETWEEN' },
    blocks: [block, { ...block, id: 'other', starts: 'NONE', breaks: { at: 'NONE' } }],
  }

  const result = readPlanRules(input)

  assert.ok(result.kind === 'rules')
  assert.deepEqual(
    result.rules.blocks.map(({ starts, breaks }) => [starts, breaks.at]),
    [
      ['HOUR', 'BETWEEN'],
      ['NONE', 'NONE'],
    ],
  )
})

const faulty: readonly (readonly [string, unknown, string, string])[] = [
  ['no object', [], '', 'must be an object'],
  ['no zone', {}, '/time_zone', 'is required'],
  ['an offset', { time_zone: '+01:00' }, '/time_zone', 'must be an IANA time zone such as Europe/Berlin'],
  [
    'no such day',
    dated({ first_date: '2026-02-29' }),
    '/blocks/0/first_date',
    'must be a date such as 2026-12-24',
  ],
  [
    'dates in the wrong sequence',
    dated({ first_date: '2026-03-02', last_date: '2026-03-01' }),
    '/blocks/0/last_date',
    'must not be before first_date',
  ],
  [
    '24:00',
    dated({ times: [{ from: '20:00', to: '24:00' }] }),
    '/blocks/0/times/0/to',
    'must be a time of day such as 20:00',
  ],
  ['no time', dated({ times: [] }), '/blocks/0/times', 'must be an array of 1 to 48 values'],
  ['a reserved id', dated({ id: 'default' }), '/blocks/0/id', 'must be unique and not default'],
  [
    'a replay of a series',
    dated({ order: 'REPLAY' }),
    '/blocks/0/content',
    'must be a block_id if order is REPLAY',
  ],
  [
    'a replay of no block',
    dated({ order: 'REPLAY', content: { block_id: 'none' } }),
    '/blocks/0/content/block_id',
    'must be the id of a block',
  ],
  [
    'a replay of itself',
    dated({ order: 'REPLAY', content: { block_id: 'prime' } }),
    '/blocks/0/content/block_id',
    'must be the id of another block',
  ],
  [
    'two contents',
    dated({ content: { series_ids: ['s1'], playlist_id: 'p1' } }),
    '/blocks/0/content',
    'must have exactly one of series_ids, playlist_id, filter, block_id',
  ],
  [
    'a filter without operator',
    dated({ content: { filter: { genre: 'news' } } }),
    '/blocks/0/content/filter',
    'must have exactly one of and, or, not, in, eq, gte, lte, gt, lt, exists',
  ],
  [
    'a keyword of a series',
    { time_zone: 'UTC', separation: [{ by: 'SERIES', keyword: 'war', minutes: 5 }] },
    '/separation/0/keyword',
    'is required if by is KEYWORD, and only then',
  ],
  [
    'a separation of more than a week',
    { time_zone: 'UTC', separation: [{ by: 'VIDEO', minutes: 10_081 }] },
    '/separation/0/minutes',
    'must be a whole number from 1 to 10080',
  ],
  [
    'availability of nothing',
    { time_zone: 'UTC', availability: [{ from: '2026-03-01T18:00:00Z' }] },
    '/availability/0',
    'must have exactly one of series_id, video_id, keyword',
  ],
  [
    'availability without a limit',
    { time_zone: 'UTC', availability: [{ keyword: 'k' }] },
    '/availability/0',
    'must have from, until or both',
  ],
  [
    'availability that ends before it begins',
    {
      time_zone: 'UTC',
      availability: [{ keyword: 'k', from: '2026-03-01T18:00:00Z', until: '2026-03-01T18:00:00Z' }],
    },
    '/availability/0/until',
    'must be after from',
  ],
  [
    'a relative time',
    { time_zone: 'UTC', availability: [{ keyword: 'k', from: 'now-1d' }] },
    '/availability/0/from',
    'must be a time in UTC such as 2026-03-01T18:00:00Z',
  ],
  ['a text as flag', rated({ unrated: 'yes' }), '/ratings/0/unrated', 'must be true or false'],
  [
    'an unknown field',
    rated({ 'a/b': 1 }),
    '/ratings/0/a~1b',
    'is unknown; the fields are from, to, days, allowed, unrated',
  ],
]

for (const [name, input, pointer, message] of faulty) {
  test(`rejected with pointer and rule: ${name}`, () => {
    assert.deepEqual(readPlanRules(input), { kind: 'rejected', faults: [{ pointer, message }] })
  })
}

test('all faults are reported together, and no more than 50', () => {
  const wrong = { ...block, order: 'ANY', days: ['MON', 'DAY'] }

  const two = readPlanRules({ time_zone: 'UTC', blocks: [wrong] })
  const many = readPlanRules({ time_zone: 'UTC', blocks: Array.from({ length: 60 }, () => wrong) })

  assert.ok(two.kind === 'rejected' && many.kind === 'rejected')
  assert.deepEqual(
    two.faults.map(({ pointer }) => pointer),
    ['/blocks/0/order', '/blocks/0/days/1'],
  )
  assert.equal(many.faults.length, 50)
})

test('two blocks with the same id are rejected at the second', () => {
  const result = readPlanRules({ time_zone: 'UTC', blocks: [block, block] })

  assert.deepEqual(result, {
    kind: 'rejected',
    faults: [{ pointer: '/blocks/1/id', message: 'must be unique and not default' }],
  })
})

function dated(fields: object) {
  return { time_zone: 'UTC', blocks: [{ ...block, ...fields }] }
}

function rated(fields: object) {
  return { time_zone: 'UTC', ratings: [{ from: '06:00', to: '19:00', allowed: ['G'], ...fields }] }
}
