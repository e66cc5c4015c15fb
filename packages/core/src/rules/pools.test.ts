import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesFilter, readFilter } from '../search/filter.ts'
import { indexCatalog } from './catalog-index.ts'
import { compileFilter, isRelative } from './pools.ts'
import { readPlanRules } from './read-plan-rules.ts'
import { aCatalog, aVideo } from './testing/a-catalog.ts'

const NOW_MS = Date.parse('2026-11-16T00:00:00Z')

const videos = [
  aVideo('early', { minutes: 10, date_published: '2026-11-10T00:00:00Z', keywords: ['news'] }),
  aVideo('late', { minutes: 30, date_published: '2026-11-15T00:00:00Z' }),
  aVideo('undated', { minutes: 60, keywords: ['news', 'sport'] }),
]
const read = readPlanRules({ time_zone: 'UTC' })
assert.ok(read.kind === 'rules')
const index = indexCatalog(aCatalog(videos), read.rules, 1)

const matching = (filter: unknown): string[] => {
  const isIn = compileFilter(filter, index, NOW_MS)
  return videos.filter((_, at) => isIn(at)).map(({ video_id }) => video_id)
}

const published = (op: string, value: string) => ({ [op]: { date_published: value } })

test('a compiled filter matches what the filter of the search matches', () => {
  const news = { in: { keywords: ['news'] } }
  const filters: readonly (readonly [unknown, readonly string[]])[] = [
    [published('gte', '2026-11-15T00:00:00Z'), ['late']],
    [published('gt', '2026-11-15T00:00:00Z'), []],
    [published('gt', '2026-11-14T00:00:00Z'), ['late']],
    [published('lte', '2026-11-10T00:00:00Z'), ['early']],
    [published('lt', '2026-11-10T00:00:00Z'), []],
    [published('lt', '2026-11-11T00:00:00Z'), ['early']],
    [{ gt: { duration: 600 } }, ['late', 'undated']],
    [{ and: [news, { gt: { duration: 600 } }] }, ['undated']],
    [{ or: [news, { eq: { duration: 1_800 } }] }, ['early', 'late', 'undated']],
    [{ not: news }, ['late']],
    [{ exists: 'date_published' }, ['early', 'late']],
  ]

  for (const [filter, expected] of filters) {
    const found = readFilter(filter, NOW_MS)
    assert.ok(found.kind === 'filter', JSON.stringify(found))
    const searched = videos.filter((video) => matchesFilter(found.filter, video))
    assert.deepEqual(matching(filter), expected, JSON.stringify(filter))
    assert.deepEqual(
      searched.map(({ video_id }) => video_id),
      expected,
      JSON.stringify(filter),
    )
  }
})

test('a filter that is rejected now matches nothing', () => {
  assert.deepEqual(matching({ gt: { nothing: 1 } }), [])
})

test('only a filter with a relative date depends on the day', () => {
  assert.equal(isRelative(published('gte', 'now-7d')), true)
  assert.equal(isRelative(published('gte', '2026-11-15T00:00:00Z')), false)
})
