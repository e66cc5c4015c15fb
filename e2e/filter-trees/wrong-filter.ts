import type { Draw } from '../draw.ts'
import { printTree } from './filter-tree.ts'
import type { CatalogVideo } from './random-catalog.ts'
import { someFilter } from './random-filter.ts'

const wrongLeaves: readonly unknown[] = [
  {},
  [],
  null,
  'title',
  7,
  { and: [] },
  { or: [] },
  { and: {} },
  { or: 'title' },
  { not: [] },
  { not: null },
  { exists: 7 },
  { exists: '' },
  { exists: 'unknown' },
  { exists: 'title', eq: { title: 'a' } },
  { equals: { title: 'a' } },
  { constructor: 1 },
  { toString: { title: 'a' } },
  { eq: {} },
  { eq: [] },
  { eq: 'title' },
  { eq: { unknown: 1 } },
  { eq: { hasOwnProperty: 'a' } },
  { eq: { toString: 'a' } },
  { eq: { title: 7 } },
  { eq: { title: true } },
  { eq: { title: null } },
  { eq: { title: ['a'] } },
  { eq: { title: { a: 'a' } } },
  { eq: { title: 'x'.repeat(256) } },
  { eq: { duration: '60' } },
  { eq: { duration: false } },
  { eq: { 'a/b~c': 'a' } },
  { in: { title: 'a' } },
  { in: { title: [] } },
  { in: { title: ['a', 7] } },
  { in: { title: ['a', null] } },
  { in: { duration: [1, '2'] } },
  { in: { title: Array.from({ length: 501 }, () => 'a') } },
  { gte: { title: 'a' } },
  { lt: { keywords: 'a' } },
  { gt: { video_id: 'a' } },
  { gte: { date_published: 7 } },
  { gte: { date_published: '' } },
  { gte: { date_published: 'yesterday' } },
  { gte: { date_published: '2026-02-30T00:00:00Z' } },
  { gte: { date_published: '2026-03-01T24:00:00Z' } },
  { gte: { date_published: '2026-03-01T00:00:00+01:00' } },
  { gte: { date_published: '2026-03-01' } },
  { lte: { date_expired: 'now-1x' } },
  { lte: { date_expired: 'now-1' } },
  { lte: { date_expired: 'now+9999999d' } },
  { lte: { date_expired: 'now+999999y' } },
  { lte: { date_expired: 'now /d' } },
  { lte: { date_expired: ['now'] } },
  { eq: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`field${at}`, 'a'])) },
]

/** A filter with one fault at a random depth, or one that is too deep or too large. */
export function someWrongFilter(draw: Draw, videos: readonly CatalogVideo[]): unknown {
  if (draw.chance(0.1)) return tooDeep(draw, 11 + draw.below(4))
  if (draw.chance(0.1)) return { or: Array.from({ length: 100 }, () => ({ exists: 'title' })) }
  let filter = draw.one(wrongLeaves)
  for (let depth = draw.below(6); depth > 0; depth -= 1) {
    const others: unknown[] = draw.some(0, 2, () => printTree(someFilter(draw, videos, 5)))
    const kind = draw.one(['and', 'or', 'not'])
    filter =
      kind === 'not'
        ? { not: filter }
        : { [kind]: others.toSpliced(draw.below(others.length + 1), 0, filter) }
  }
  return filter
}

function tooDeep(draw: Draw, depth: number): unknown {
  let filter: unknown = { exists: 'title' }
  for (let i = 1; i < depth; i += 1) filter = draw.chance(0.5) ? { not: filter } : { and: [filter] }
  return filter
}
