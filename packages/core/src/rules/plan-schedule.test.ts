import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexCatalog } from './catalog-index.ts'
import { continueState } from './memory.ts'
import { type CatalogVideo, emptyPlanState, type Plan, type PlanInput } from './plan-input.ts'
import { planSchedule } from './plan-schedule.ts'
import { readPlanRules } from './read-plan-rules.ts'
import { aCatalog, aSeries, aVideo } from './testing/a-catalog.ts'

const utc = (text: string) => Date.parse(`${text}Z`)

/** 16 November 2026 was a Monday. */
const MONDAY = '2026-11-16T00:00'

interface Planned {
  readonly rules?: object
  readonly videos: readonly CatalogVideo[]
  readonly playlists?: Readonly<Record<string, readonly string[]>>
  readonly from?: string
  readonly hours?: number
  readonly seed?: number
  readonly fixed?: PlanInput['fixed']
  readonly state?: PlanInput['state']
}

function plan({
  rules = {},
  videos,
  playlists = {},
  from = MONDAY,
  hours = 24,
  seed = 1,
  fixed = [],
  state = emptyPlanState,
}: Planned): Plan {
  const read = readPlanRules({ time_zone: 'UTC', ...rules })
  assert.ok(read.kind === 'rules', JSON.stringify(read))
  const [from_ms, to_ms] = [utc(from), utc(from) + hours * 3_600_000]
  const catalog = aCatalog(videos, playlists)
  return planSchedule({ rules: read.rules, catalog, state, seed, from_ms, to_ms, fixed })
}

/** `16 20:00 video` for each program. */
const listed = ({ programs }: Plan): string[] =>
  programs.map(({ start_ms, video_id }) => {
    const time = new Date(start_ms).toISOString()
    return `${time.slice(8, 10)} ${time.slice(11, 16)} ${video_id}`
  })

const strip = {
  id: 'strip',
  times: [{ from: '20:00', to: '21:00' }],
  content: { series_ids: ['s'] },
  order: 'NEXT_EPISODE',
  rest: 'FILL',
}

test('a series continues day by day, and begins again after its last episode', () => {
  const result = plan({ rules: { blocks: [strip] }, videos: aSeries('s', 3, { minutes: 40 }), hours: 96 })

  assert.deepEqual(listed(result), ['16 20:00 s-1', '17 20:00 s-2', '18 20:00 s-3', '19 20:00 s-1'])
  assert.deepEqual(
    result.programs.map(({ reason }) => reason),
    [
      'next episode: S1E1; no previous one',
      'next episode: S1E2; previous S1E1 aired 2026-11-16',
      'next episode: S1E3; previous S1E2 aired 2026-11-17',
      'next episode: S1E1; previous S1E3 aired 2026-11-18, begins again',
    ],
  )
  assert.deepEqual(result.programs[0], {
    start_ms: utc('2026-11-16T20:00'),
    end_ms: utc('2026-11-16T20:40'),
    title: 'Series s',
    rule: 'strip',
    reason: 'next episode: S1E1; no previous one',
    video_id: 's-1',
    items: [{ video_id: 's-1' }],
    basis: {
      track: 'main',
      order: 'NEXT_EPISODE',
      occurrence: { start_ms: utc('2026-11-16T20:00'), end_ms: utc('2026-11-16T21:00') },
      position: { key: 's', label: 'S1E1', index: 0 },
      breaks: [],
      interstitials: [],
    },
  })
})

test('with at_end STOP a series waits for a new episode after its last one, with a warning', () => {
  const rules = { blocks: [{ ...strip, at_end: 'STOP' }] }

  const first = plan({ rules, videos: aSeries('s', 1), hours: 72 })
  const second = plan({ rules, videos: aSeries('s', 2), from: '2026-11-19T00:00', state: first.state })

  assert.deepEqual(listed(first), ['16 20:00 s-1'])
  assert.deepEqual(
    first.warnings.map(({ code, rule, at_ms }) => [code, rule, new Date(at_ms).toISOString()]),
    [
      ['nothing_to_play', 'strip', '2026-11-16T20:30:00.000Z'],
      ['nothing_to_play', 'strip', '2026-11-17T20:00:00.000Z'],
      ['nothing_to_play', 'strip', '2026-11-18T20:00:00.000Z'],
    ],
  )
  assert.deepEqual(listed(second), ['19 20:00 s-2'])
})

test('an edit of the rules keeps the position, and an episode that has left the catalog is passed over', () => {
  const first = plan({ rules: { blocks: [strip] }, videos: aSeries('s', 6, { minutes: 50 }), hours: 48 })

  const videos = aSeries('s', 6, { minutes: 50 }).filter(({ video_id }) => !['s-2', 's-3'].includes(video_id))
  const blocks = [{ ...strip, id: 'renamed', times: [{ from: '18:00', to: '19:00' }] }]
  const second = plan({ rules: { blocks }, videos, state: first.state, from: '2026-11-18T00:00' })

  assert.deepEqual(listed(first), ['16 20:00 s-1', '17 20:00 s-2'])
  assert.deepEqual(listed(second), ['18 18:00 s-4'])
  assert.equal(second.programs[0]!.reason, 'next episode: S1E4; previous S1E2 aired 2026-11-17')
})

test('an episode that is too long for the rest of a block waits, and one that is too long for all of it does not', () => {
  const videos = [
    ...aSeries('s', 2, { minutes: 40 }),
    aVideo('s-3', { series_id: 's', season_number: 1, episode_number: 3, minutes: 61 }),
    aVideo('s-4', { series_id: 's', season_number: 1, episode_number: 4, minutes: 10 }),
  ]

  const result = plan({ rules: { blocks: [strip] }, videos, hours: 72 })

  assert.deepEqual(listed(result), ['16 20:00 s-1', '17 20:00 s-2', '17 20:40 s-4', '18 20:00 s-1'])
  assert.deepEqual(
    result.warnings.filter(({ code }) => code === 'episode_left_out').map(({ video_id }) => video_id),
    ['s-3'],
  )
})

test('NEXT_EPISODE alternates between series, MARATHON stays with one to its end', () => {
  const videos = [...aSeries('a', 3), ...aSeries('b', 2)]
  const content = { series_ids: ['b', 'a'] }

  const next = plan({ rules: { default: { content, order: 'NEXT_EPISODE' } }, videos, hours: 3 })
  const marathon = plan({ rules: { default: { content, order: 'MARATHON' } }, videos, hours: 3.5 })

  assert.deepEqual(
    next.programs.map(({ video_id }) => video_id),
    ['b-1', 'a-1', 'b-2', 'a-2', 'b-1', 'a-3'],
  )
  assert.deepEqual(
    marathon.programs.map(({ video_id }) => video_id),
    ['b-1', 'b-2', 'a-1', 'a-2', 'a-3', 'b-1', 'b-2'],
  )
})

test('a playlist is played in its sequence, and again from its beginning', () => {
  const videos = [aVideo('x'), aVideo('y', { minutes: 15 })]
  const rules = { default: { content: { playlist_id: 'p' }, order: 'NEXT_EPISODE' } }

  const result = plan({ rules, videos, playlists: { p: ['y', 'x', 'gone', 'y'] }, hours: 2 })

  assert.deepEqual(listed(result), [
    '16 00:00 y',
    '16 00:15 x',
    '16 00:45 y',
    '16 01:00 y',
    '16 01:15 x',
    '16 01:45 y',
  ])
  assert.equal(
    result.programs[3]!.reason,
    'next episode: 1 of 3 of the playlist; previous y aired 2026-11-16, begins again',
  )
})

test('a playlist continues with the video that moved up when the last one aired was removed', () => {
  const videos = ['a', 'b', 'c', 'd'].map((id) => aVideo(id, { minutes: 40 }))
  const rules = { blocks: [{ ...strip, content: { playlist_id: 'p' } }] }
  const before = plan({ rules, videos, playlists: { p: ['a', 'b', 'c', 'd'] }, hours: 48 })

  const after = plan({
    rules,
    videos: videos.filter(({ video_id }) => video_id !== 'b'),
    playlists: { p: ['a', 'c', 'd'] },
    from: '2026-11-18T00:00',
    hours: 48,
    state: before.state,
  })

  assert.deepEqual(listed(before), ['16 20:00 a', '17 20:00 b'])
  assert.deepEqual(listed(after), ['18 20:00 c', '19 20:00 d'])
})

test('a series continues after the place of the last episode aired when that was removed', () => {
  const videos = aSeries('s', 4, { minutes: 40 })
  const before = plan({ rules: { blocks: [strip] }, videos, hours: 48 })

  const after = plan({
    rules: { blocks: [strip] },
    videos: videos.filter(({ video_id }) => video_id !== 's-2'),
    from: '2026-11-18T00:00',
    hours: 48,
    state: before.state,
  })

  assert.deepEqual(listed(before), ['16 20:00 s-1', '17 20:00 s-2'])
  assert.deepEqual(listed(after), ['18 20:00 s-3', '19 20:00 s-4'])
})

test('an occurrence of a block has at most so many programs, and the next one again', () => {
  const rules = { blocks: [{ ...strip, times: [{ from: '20:00', to: '23:00' }], most: 2 }] }

  const result = plan({ rules, videos: aSeries('s', 5, { minutes: 30 }), hours: 48 })

  assert.deepEqual(listed(result), ['16 20:00 s-1', '16 20:30 s-2', '17 20:00 s-3', '17 20:30 s-4'])
})

test('SHUFFLE airs every video before it repeats one, never the same twice, in a sequence that the seed determines', () => {
  const videos = Array.from({ length: 12 }, (_, at) => aVideo(`v${at}`))
  const rules = { default: { content: { filter: { exists: 'video_id' } }, order: 'SHUFFLE' } }
  const order = (seed: number) =>
    plan({ rules, videos, seed, hours: 24 }).programs.map(({ video_id }) => video_id)

  const one = order(1)

  assert.equal(one.length, 48)
  for (let cycle = 0; cycle < 48; cycle += 12) assert.equal(new Set(one.slice(cycle, cycle + 12)).size, 12)
  assert.ok(one.every((id, at) => id !== one[at + 1]))
  assert.notDeepEqual(one.slice(0, 12), one.slice(12, 24))
  assert.notDeepEqual(one, order(2))
})

test('NEWEST_FIRST prefers what was published last, and what has just been published', () => {
  const published = (id: string, day: string) => aVideo(id, { date_published: `2026-${day}T00:00:00Z` })
  const videos = [published('old', '01-01'), published('new', '03-01'), aVideo('undated')]
  const rules = { default: { content: { filter: { exists: 'video_id' } }, order: 'NEWEST_FIRST' } }

  const first = plan({ rules, videos, hours: 2 })
  const more = [...videos, published('newest', '11-15')]
  const second = plan({ rules, videos: more, state: first.state, from: '2026-11-16T02:00', hours: 2 })

  assert.deepEqual(listed(first), ['16 00:00 new', '16 00:30 old', '16 01:00 undated', '16 01:30 new'])
  assert.deepEqual(listed(second), ['16 02:00 newest', '16 02:30 old', '16 03:00 undated', '16 03:30 newest'])
  assert.equal(second.programs[0]!.reason, 'newest first: published 2026-11-15; not yet aired in this track')
})

test('REPLAY repeats the last occurrence of a block, without what is no longer available', () => {
  const videos = [
    ...aSeries('s', 4, { minutes: 20 }),
    aVideo('expiring', {
      series_id: 's',
      season_number: 1,
      episode_number: 0,
      minutes: 20,
      date_expired: '2026-11-16T22:00:00Z',
    }),
  ]
  const replay = {
    id: 'replay',
    times: [{ from: '02:00', to: '03:00' }],
    content: { block_id: 'strip' },
    order: 'REPLAY',
    rest: 'FILL',
  }

  const result = plan({ rules: { blocks: [strip, replay] }, videos, from: '2026-11-16T12:00', hours: 16 })

  assert.deepEqual(listed(result), [
    '16 20:00 expiring',
    '16 20:20 s-1',
    '16 20:40 s-2',
    '17 02:00 s-1',
    '17 02:20 s-2',
  ])
  assert.equal(result.programs.at(-1)!.reason, 'replay: 3 of 3 of strip of 2026-11-16 20:00')
  assert.deepEqual(
    result.warnings.map(({ code, video_id }) => [code, video_id]),
    [['replay_left_out', 'expiring']],
  )
})

test('a replay that is planned again in its middle continues where it was, also after a video that comes twice', () => {
  const videos = ['a', 'b', 'c', 'd'].map((id) => aVideo(id, { minutes: 15 }))
  const source = {
    id: 'source',
    times: [{ from: '20:00', to: '21:15' }],
    content: { playlist_id: 'p' },
    order: 'NEXT_EPISODE',
    rest: 'FILL',
  }
  const replay = {
    id: 'replay',
    times: [{ from: '22:00', to: '23:15' }],
    content: { block_id: 'source' },
    order: 'REPLAY',
    rest: 'FILL',
  }
  const input = { rules: { blocks: [source, replay] }, videos, playlists: { p: ['a', 'b', 'a', 'c', 'd'] } }
  const read = readPlanRules({ time_zone: 'UTC', ...input.rules })
  assert.ok(read.kind === 'rules')
  const index = indexCatalog(aCatalog(videos, input.playlists), read.rules, 1)
  const whole = plan(input)

  for (const kept of [5, 6, 7, 8, 9]) {
    const state = continueState(emptyPlanState, whole.programs.slice(0, kept), index)
    const from = new Date(whole.programs[kept]!.start_ms).toISOString().slice(0, 16)
    const rest = plan({ ...input, state, from, hours: 1.5 })
    assert.deepEqual(listed(rest), listed(whole).slice(kept), `after ${kept}`)
  }
  assert.deepEqual(
    listed(whole)
      .slice(5)
      .map((line) => line.slice(-1)),
    ['a', 'b', 'a', 'c', 'd'],
  )
})

test('starts are aligned; the time before is fill', () => {
  const rules = { starts: 'HALF_HOUR', default: { content: { playlist_id: 'p' }, order: 'NEXT_EPISODE' } }

  const result = plan({
    rules,
    videos: [aVideo('x', { minutes: 22 })],
    playlists: { p: ['x'] },
    from: '2026-11-16T00:10',
    hours: 1.5,
  })

  assert.deepEqual(listed(result), ['16 00:30 x', '16 01:00 x', '16 01:30 x'])
})

test('ratings are kept for the whole program', () => {
  const videos = [
    aVideo('kids', { parental_rating: 'G', minutes: 20 }),
    aVideo('adult', { parental_rating: 'R', minutes: 50 }),
  ]
  const rules = {
    ratings: [{ from: '06:00', to: '22:00', allowed: ['G'] }],
    default: { content: { filter: { exists: 'video_id' } }, order: 'SHUFFLE' },
    separation: [{ by: 'VIDEO', minutes: 60 }],
  }

  const result = plan({ rules, videos, from: '2026-11-16T04:00', hours: 19 })

  const adult = result.programs.filter(({ video_id }) => video_id === 'adult')
  assert.ok(adult.length > 0)
  for (const { start_ms, end_ms } of adult) {
    assert.ok(end_ms <= utc('2026-11-16T06:00') || start_ms >= utc('2026-11-16T22:00'))
  }
})

test('a separation is kept as long as something else is allowed; a strict one always', () => {
  const videos = [aVideo('x', { minutes: 20 }), aVideo('y', { minutes: 20 })]
  const rules = (strict: boolean) => ({
    default: { content: { filter: { exists: 'video_id' } }, order: 'NEWEST_FIRST' },
    separation: [{ by: 'VIDEO', minutes: 40, strict }],
  })

  const soft = plan({ rules: rules(false), videos, hours: 1 })
  const strict = plan({ rules: rules(true), videos, hours: 2 })

  assert.deepEqual(listed(soft), ['16 00:00 x', '16 00:20 y', '16 00:40 x'])
  assert.deepEqual(
    soft.warnings.map(({ code, message, video_id }) => [code, message, video_id]),
    [['separation_broken', 'the video is aired again after 20 of 40 minutes', 'x']],
  )
  // Tried again at every quarter of an hour.
  assert.deepEqual(listed(strict), ['16 00:00 x', '16 00:20 y', '16 01:00 x', '16 01:20 y'])
})

test('breaks are at cue points, no more often than the policy allows, between their interstitials', () => {
  const cue_points_ms = [2, 5, 16, 20, 31, 43].map((minute) => minute * 60_000)
  const videos = [
    aVideo('film', { minutes: 45, cue_points_ms }),
    aVideo('out', { minutes: 0.5 }),
    aVideo('in', { minutes: 0.5 }),
  ]
  const breaks = {
    at: 'CUE_POINTS',
    every_minutes: 12,
    length_seconds: 120,
    before_playlist_id: 'outs',
    after_playlist_id: 'ins',
  }
  const rules = {
    breaks,
    blocks: [{ ...strip, times: [{ from: '20:00', to: '20:54' }], content: { playlist_id: 'p' }, most: 1 }],
  }

  const playlists = { p: ['film'], outs: ['out'], ins: ['in'] }
  const result = plan({ rules, videos, playlists })

  // The first at 5, not at 2; the next at 20, because 16 is 11 minutes later; at 31 is too soon, 43 too near to the end.
  assert.deepEqual(result.programs[0]!.items, [
    { video_id: 'film', out_ms: 300_000 },
    { video_id: 'out' },
    { type: 'AD_POD', duration: 120 },
    { video_id: 'in' },
    { video_id: 'film', in_ms: 300_000, out_ms: 1_200_000 },
    { video_id: 'out' },
    { type: 'AD_POD', duration: 120 },
    { video_id: 'in' },
    { video_id: 'film', in_ms: 1_200_000 },
  ])
  assert.equal(result.programs[0]!.end_ms, utc('2026-11-16T20:51'))
})

test('a break that has no time before the program must end is left out, with a warning', () => {
  const videos = [aVideo('film', { minutes: 59, cue_points_ms: [1_200_000, 2_400_000] })]
  const rules = {
    breaks: { at: 'CUE_POINTS', every_minutes: 10, length_seconds: 60 },
    blocks: [{ ...strip, content: { playlist_id: 'p' } }],
  }

  const result = plan({ rules, videos, playlists: { p: ['film'] } })

  assert.equal(result.programs[0]!.end_ms, utc('2026-11-16T21:00'))
  assert.deepEqual(
    result.warnings.map(({ code, message }) => [code, message]),
    [['break_left_out', 'no time for a break of 60 s']],
  )
})

test('breaks between programs are so far apart, and so many in any hour', () => {
  const videos = [aVideo('x', { minutes: 7 })]
  const playlists = { p: ['x'] }
  const rules = (breaks: object) => ({
    breaks: { at: 'BETWEEN', length_seconds: 60, ...breaks },
    default: { content: { playlist_id: 'p' }, order: 'NEXT_EPISODE' },
  })
  const pods = (breaks: object) =>
    plan({ rules: rules(breaks), videos, playlists, hours: 2 }).programs.flatMap(
      ({ items }) => items.slice(1).length,
    )

  // After 7 minutes, then after two more programs.
  assert.deepEqual(pods({ every_minutes: 10 }).slice(0, 6), [1, 0, 1, 0, 1, 0])
  // At minutes 7 and 15; the first program that ends at 67 or later ends at 72.
  assert.deepEqual(pods({ every_minutes: 1, most_per_hour: 2 }).slice(0, 10), [1, 1, 0, 0, 0, 0, 0, 0, 0, 1])
})

test('a default plans what a block leaves, unless the rest is fill', () => {
  const videos = [...aSeries('s', 9, { minutes: 40 }), aVideo('clip', { minutes: 10 })]
  const rules = (rest: string) => ({
    blocks: [{ ...strip, rest, times: [{ from: '00:00', to: '01:00' }] }],
    default: { content: { playlist_id: 'p' }, order: 'NEXT_EPISODE' },
  })
  const at = (rest: string) => plan({ rules: rules(rest), videos, playlists: { p: ['clip'] }, hours: 1 })

  assert.deepEqual(listed(at('DEFAULT')), ['16 00:00 s-1', '16 00:40 clip', '16 00:50 clip'])
  assert.equal(
    at('DEFAULT').programs[1]!.reason,
    'next episode: 1 of 1 of the playlist; no previous one; in time that strip leaves',
  )
  assert.deepEqual(listed(at('FILL')), ['16 00:00 s-1'])
})

test('an empty library leaves fill and one warning a day, and what comes back is planned', () => {
  const rules = { default: { content: { filter: { exists: 'video_id' } }, order: 'SHUFFLE' } }

  const empty = plan({ rules, videos: [], hours: 48 })
  const back = plan({ rules, videos: [aVideo('x')], from: '2026-11-18T00:00', hours: 1, state: empty.state })

  assert.deepEqual(empty.programs, [])
  assert.deepEqual(
    empty.warnings.map(({ code, rule, at_ms }) => [code, rule, new Date(at_ms).toISOString().slice(0, 10)]),
    [
      ['nothing_to_play', 'default', '2026-11-16'],
      ['nothing_to_play', 'default', '2026-11-17'],
    ],
  )
  assert.deepEqual(listed(back), ['18 00:00 x', '18 00:30 x'])
})

test('a filter with relative dates follows the days of the plan', () => {
  const videos = [aVideo('x', { date_published: '2026-11-16T12:00:00Z' })]
  const filter = { and: [{ gte: { date_published: 'now-1d' } }, { lte: { date_published: 'now' } }] }
  const rules = { default: { content: { filter }, order: 'SHUFFLE' } }

  const days = plan({ rules, videos, hours: 96 }).programs.map(({ start_ms }) =>
    new Date(start_ms).getUTCDate(),
  )

  assert.deepEqual([...new Set(days)], [17])
})

test('rules give way to fixed programs, whose videos count for separation', () => {
  const rules = {
    default: { content: { filter: { exists: 'video_id' } }, order: 'NEWEST_FIRST' },
    separation: [{ by: 'VIDEO', minutes: 60 }],
  }
  const fixed = [{ start_ms: utc('2026-11-16T00:40'), end_ms: utc('2026-11-16T01:00'), video_ids: ['y'] }]

  const result = plan({ rules, videos: [aVideo('x'), aVideo('y'), aVideo('z')], fixed, hours: 2 })

  assert.deepEqual(listed(result), ['16 00:00 x', '16 01:00 z', '16 01:30 x'])
})

test('rules limit when a series, a video or a keyword is available, each by the narrowest of its windows', () => {
  const videos = [
    aVideo('s-1', { series_id: 's', date_available: '2026-11-16T01:00:00Z', minutes: 60 }),
    aVideo('one', { minutes: 60 }),
    aVideo('two', { keywords: ['k'], minutes: 60 }),
  ]
  const rules = {
    availability: [
      { series_id: 's', from: '2026-11-16T00:30:00Z', until: '2026-11-16T05:00:00Z' },
      { series_id: 's', until: '2026-11-16T04:00:00Z' },
      { video_id: 'one', from: '2026-11-16T04:00:00Z' },
      { keyword: 'k', until: '2026-11-16T01:00:00Z' },
    ],
    default: { content: { filter: { exists: 'video_id' } }, order: 'NEWEST_FIRST' },
  }

  const result = plan({ rules, videos, hours: 6 })

  assert.deepEqual(listed(result), [
    '16 00:00 two',
    '16 01:00 s-1',
    '16 02:00 s-1',
    '16 03:00 s-1',
    '16 04:00 one',
    '16 05:00 one',
  ])
})

test('videos without a series follow each other by publication, those without a date first, then by id', () => {
  const published = (id: string, date_published: string | null) => aVideo(id, { date_published })
  const videos = [
    published('late', '2026-03-01T00:00:00Z'),
    published('b', null),
    published('early', '2026-01-01T00:00:00Z'),
    published('a', null),
  ]
  const rules = { default: { content: { filter: { exists: 'video_id' } }, order: 'NEXT_EPISODE' } }

  const { programs } = plan({ rules, videos, hours: 2 })

  assert.deepEqual(
    programs.map(({ video_id }) => video_id),
    ['a', 'b', 'early', 'late'],
  )
})

test('NEXT_EPISODE prefers a series whose next episode breaks no separation', () => {
  const videos = [
    ...aSeries('a', 4, { keywords: ['crime'] }),
    ...aSeries('b', 4, { keywords: ['crime'] }),
    ...aSeries('c', 4),
  ]
  const rules = {
    default: { content: { series_ids: ['a', 'b', 'c'] }, order: 'NEXT_EPISODE' },
    separation: [{ by: 'KEYWORD', keyword: 'crime', minutes: 60 }],
  }

  const { programs } = plan({ rules, videos, hours: 3 })

  assert.deepEqual(
    programs.map(({ video_id }) => video_id),
    ['a-1', 'c-1', 'c-2', 'b-1', 'c-3', 'c-4'],
  )
})

test('only videos that are ready, and no longer than a day, are planned', () => {
  const rules = { default: { content: { filter: { exists: 'video_id' } }, order: 'NEWEST_FIRST' } }
  const planned = (...fields: readonly Parameters<typeof aVideo>[1][]) =>
    listed(plan({ rules, videos: fields.map((each, at) => aVideo(`v${at}`, each)), hours: 1 }))

  assert.deepEqual(planned({ status: 'PENDING' }, { minutes: 0 }, { minutes: 1_441 }), [])
  assert.deepEqual(planned({ minutes: 1_440 }), ['16 00:00 v0'])
})

test('a fixed program with a video that cannot be planned still counts for the separation of its series', () => {
  const videos = [
    aVideo('gone', { series_id: 's', status: 'DELETED' }),
    ...aSeries('s', 1),
    ...['x', 'y', 'z'].map((id) => aVideo(id)),
  ]
  const rules = {
    default: { content: { filter: { exists: 'video_id' } }, order: 'SHUFFLE' },
    separation: [{ by: 'SERIES', minutes: 60 }],
  }
  const fixed = [{ start_ms: utc('2026-11-16T00:00'), end_ms: utc('2026-11-16T00:30'), video_ids: ['gone'] }]

  for (const seed of [1, 2, 3, 4, 5]) {
    const { programs } = plan({ rules, videos, fixed, seed, hours: 2.5 })
    const at = programs.findIndex(({ video_id }) => video_id === 's-1')
    assert.ok(at >= 2, `${seed}: ${at}`)
  }
})

test('NEWEST_FIRST airs what was published at one time in the sequence of its ids, and what has no date last', () => {
  const on = (id: string, day: string | null) =>
    aVideo(id, { date_published: day === null ? null : `2026-11-${day}T00:00:00Z` })
  const videos = [on('d', null), on('b', '02'), on('e', '01'), on('c', null), on('a', '02'), on('f', '01')]
  const rules = { default: { content: { filter: { exists: 'video_id' } }, order: 'NEWEST_FIRST' } }

  const { programs } = plan({ rules, videos, hours: 3 })

  assert.deepEqual(
    programs.map(({ video_id }) => video_id),
    ['a', 'b', 'e', 'f', 'c', 'd'],
  )
})

test('of a playlist of interstitials the next is shown that is allowed, available and short enough', () => {
  const ident = (id: string, fields: Parameters<typeof aVideo>[1]) => aVideo(id, { minutes: 1, ...fields })
  const videos = [
    aVideo('film', { minutes: 20 }),
    ident('long', { minutes: 30 }),
    ident('late', { date_available: '2026-11-16T00:20:01Z' }),
    ident('early', { date_expired: '2026-11-16T00:20:59Z' }),
    ident('adult', { parental_rating: 'R' }),
    // Until the end of the first, and from the start of the second.
    ident('just', { date_available: '2026-11-16T00:20:00Z', date_expired: '2026-11-16T00:21:00Z' }),
    ident('other', {}),
  ]
  const rules = (idents: object) => ({
    blocks: [{ ...strip, times: [{ from: '00:00', to: '00:44' }], content: { playlist_id: 'p' } }],
    breaks: { at: 'BETWEEN', every_minutes: 1, length_seconds: 60, ...idents },
    ratings: [{ from: '00:00', to: '06:00', allowed: ['G'], unrated: true }],
  })
  const shown = (idents: object, ...ids: readonly string[]) => {
    const { programs, warnings } = plan({
      rules: rules(idents),
      videos,
      playlists: { p: ['film'], i: ids },
      hours: 1,
    })
    const codes = warnings.filter(({ code }) => code === 'interstitial_left_out').map(({ at_ms }) => at_ms)
    return [
      ...programs.map(({ basis }) => basis.interstitials.map(({ video_id }) => video_id).join()),
      ...codes.map((ms) => new Date(ms).toISOString().slice(11, 16)),
    ]
  }
  const before = { before_playlist_id: 'i' }

  assert.deepEqual(shown(before, 'long', 'late', 'early', 'adult', 'just', 'other'), ['just', 'other'])
  assert.deepEqual(shown({ after_playlist_id: 'i' }, 'other'), ['other', 'other'])
  assert.deepEqual(shown(before, 'adult', 'early'), ['', '', '00:20', '00:41'])
  // From 00:43 on there is time for the break alone.
  const both = { ...before, after_playlist_id: 'i' }
  assert.deepEqual(shown(both, 'other', 'just'), ['other,other', '', '00:43', '00:44'])
})

test('a series of more than a hundred videos is kept apart from itself like any other', () => {
  const videos = [...aSeries('large', 101, { minutes: 30 }), ...aSeries('small', 2), aVideo('x')]
  const rules = {
    default: { content: { filter: { exists: 'video_id' } }, order: 'SHUFFLE' },
    separation: [{ by: 'SERIES', minutes: 30, strict: true }],
  }

  const series = plan({ rules, videos, hours: 24 }).programs.map(({ video_id }) => video_id.split('-')[0])

  assert.ok(series.every((each, at) => each === 'x' || each !== series[at + 1]))
})

test('the state after a plan follows from its programs', () => {
  const videos = [...aSeries('s', 5), aVideo('x'), aVideo('y', { keywords: ['k'] })]
  const rules = {
    blocks: [strip],
    breaks: { at: 'BETWEEN', every_minutes: 60 },
    default: { content: { filter: { exists: 'video_id' } }, order: 'SHUFFLE' },
  }
  const read = readPlanRules({ time_zone: 'UTC', ...rules })
  assert.ok(read.kind === 'rules')

  const { programs, state } = plan({ rules, videos })

  const index = indexCatalog(aCatalog(videos), read.rules, 1)
  const { until_ms: _, warned: __, ...expected } = state
  const { until_ms: ___, warned: ____, ...continued } = continueState(emptyPlanState, programs, index)
  assert.deepEqual(continued, expected)
})
