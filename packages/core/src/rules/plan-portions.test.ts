import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emptyPlanState, type PlannedProgram, type PlanState, type PlanWarning } from './plan-input.ts'
import { planSchedule } from './plan-schedule.ts'
import { readPlanRules } from './read-plan-rules.ts'
import { aCatalog, aSeries, aVideo } from './testing/a-catalog.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-11-16T00:00:00Z')
const HOURS = 4 * 24

const all = { filter: { exists: 'video_id' } }

/** A channel that uses every kind of rule. */
const read = readPlanRules({
  time_zone: 'Europe/Berlin',
  blocks: [
    {
      id: 'strip',
      times: [{ from: '20:00', to: '22:00' }],
      content: { series_ids: ['a', 'b'] },
      order: 'NEXT_EPISODE',
      starts: 'HALF_HOUR',
    },
    { id: 'again', times: [{ from: '02:00', to: '04:00' }], content: { block_id: 'strip' }, order: 'REPLAY' },
    {
      id: 'marathon',
      days: ['TUE'],
      times: [{ from: '10:00', to: '16:00' }],
      content: all,
      order: 'MARATHON',
      track: 'long',
    },
    {
      id: 'list',
      times: [{ from: '12:00', to: '13:00' }],
      content: { playlist_id: 'p' },
      order: 'NEXT_EPISODE',
      most: 2,
    },
    {
      id: 'newest',
      times: [{ from: '18:00', to: '20:00' }],
      content: { filter: { gte: { date_published: 'now-9d' } } },
      order: 'NEWEST_FIRST',
    },
  ],
  default: { content: all, order: 'SHUFFLE' },
  breaks: {
    at: 'BETWEEN',
    every_minutes: 40,
    length_seconds: 60,
    most_per_hour: 1,
    before_playlist_id: 'idents',
    after_playlist_id: 'idents',
  },
  separation: [
    { by: 'VIDEO', minutes: 300 },
    { by: 'SERIES', minutes: 60, strict: true },
    { by: 'KEYWORD', keyword: 'crime', minutes: 120 },
  ],
  ratings: [{ from: '06:00', to: '22:00', allowed: ['G'], unrated: true }],
  availability: [{ video_id: 'x3', from: '2026-11-18T00:00:00Z', until: '2026-11-20T00:00:00Z' }],
})
assert.ok(read.kind === 'rules', JSON.stringify(read))

const videos = [
  ...aSeries('a', 7, { minutes: 25 }),
  ...aSeries('b', 4, { minutes: 40, keywords: ['crime'] }),
  ...aSeries('c', 5, { minutes: 55, keywords: ['crime', 'night'], parental_rating: 'R' }),
  ...Array.from({ length: 8 }, (_, at) =>
    aVideo(`x${at}`, { minutes: 9 + 7 * at, date_published: `2026-11-1${at}T00:00:00Z` }),
  ),
  ...['one', 'two', 'three'].map((id) => aVideo(id, { minutes: 0.25, keywords: ['ident'] })),
]
const catalog = aCatalog(videos, { p: ['x1', 'x5', 'x2'], idents: ['one', 'two', 'three'] })
const fixed = [
  { start_ms: START_MS + 30.5 * HOUR_MS, end_ms: START_MS + 32 * HOUR_MS, video_ids: ['a-1', 'x0'] },
  { start_ms: START_MS + 60 * HOUR_MS, end_ms: START_MS + 61 * HOUR_MS },
]

const base = { rules: read.rules, catalog, seed: 7, fixed }

function planIn(portions: readonly number[]) {
  const programs: PlannedProgram[] = []
  const warnings: PlanWarning[] = []
  let state: PlanState = emptyPlanState
  for (const [at, hour] of portions.entries()) {
    const from = at === 0 ? 0 : portions[at - 1]!
    const [from_ms, to_ms] = [START_MS + from * HOUR_MS, START_MS + hour * HOUR_MS]
    // It is stored as JSON.
    const plan = planSchedule({
      ...base,
      state: JSON.parse(JSON.stringify(state)) as PlanState,
      from_ms,
      to_ms,
    })
    programs.push(...plan.programs)
    warnings.push(...plan.warnings)
    state = plan.state
  }
  return { programs, warnings, state }
}

const whole = planIn([HOURS])

test('a plan that is made in portions is the same as one that is made at once', () => {
  const anyCuts = fc.uniqueArray(fc.integer({ min: 1, max: 4 * HOURS - 1 }), { maxLength: 8 })
  fc.assert(
    fc.property(anyCuts, (quarters) => {
      const cuts = quarters.toSorted((a, b) => a - b).map((quarter) => quarter / 4)

      assert.deepEqual(planIn([...cuts, HOURS]), whole)
    }),
    { numRuns: 20 },
  )
})

test('all kinds of rules take part in it', () => {
  const rules = new Set(whole.programs.map(({ rule }) => rule))

  assert.deepEqual(rules, new Set(['default', 'strip', 'again', 'marathon', 'list', 'newest']))
  const breaks = whole.programs.flatMap(({ basis }) => basis.breaks)
  const interstitials = whole.programs.flatMap(({ basis }) => basis.interstitials)
  assert.ok(breaks.length > 40)
  // One after another, before and after each break.
  assert.deepEqual(
    interstitials.slice(0, 7).map(({ video_id }) => video_id),
    ['one', 'two', 'three', 'one', 'two', 'three', 'one'],
  )
})

test('programs do not overlap each other, fixed programs or the hours of other ratings', () => {
  for (const [at, { start_ms, end_ms }] of whole.programs.entries()) {
    assert.ok(end_ms > start_ms)
    assert.ok(end_ms <= (whole.programs[at + 1]?.start_ms ?? Infinity))
    assert.ok(fixed.every((program) => end_ms <= program.start_ms || start_ms >= program.end_ms))
  }
  for (const { start_ms, end_ms, video_id } of whole.programs) {
    if (!video_id.startsWith('c-')) continue
    // Berlin is an hour ahead of UTC: allowed from 22:00 to 06:00.
    const day = Math.floor((start_ms + 3 * HOUR_MS - START_MS) / (24 * HOUR_MS)) * 24 * HOUR_MS + START_MS
    assert.ok(start_ms >= day - 3 * HOUR_MS && end_ms <= day + 5 * HOUR_MS, new Date(start_ms).toISOString())
  }
})

test('a strict separation is kept by all rules but replays and marathons, and a broken one is told', () => {
  const seriesOf = (id: string) => videos.find(({ video_id }) => video_id === id)!.series_id
  const ended = new Map<string, number>()
  for (const { start_ms, end_ms, video_id, rule } of whole.programs) {
    const series = seriesOf(video_id)
    if (series !== null && !['again', 'marathon'].includes(rule))
      assert.ok(start_ms - (ended.get(series) ?? -Infinity) >= HOUR_MS, new Date(start_ms).toISOString())
    if (series !== null) ended.set(series, end_ms)
  }
  const crime = new Set(videos.filter(({ keywords }) => keywords.includes('crime')).map((it) => it.video_id))
  let crimeEnded = -Infinity
  for (const { start_ms, end_ms, video_id, rule } of whole.programs) {
    if (!crime.has(video_id)) continue
    const isKept = start_ms - crimeEnded >= 2 * HOUR_MS || ['again', 'marathon'].includes(rule)
    assert.ok(
      isKept || whole.warnings.some(({ code, at_ms }) => code === 'separation_broken' && at_ms === start_ms),
    )
    crimeEnded = end_ms
  }
})
