import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Comparison, Filter } from '@continuity/core/search/filter'
import { FIRST_MS, LAST_NUMBER } from '../records/video-document.ts'
import { boundsOf, NO_BOUNDS } from './row-bounds.ts'

const compare = (field: 'duration' | 'date_published', op: Comparison, value: number): Filter => ({
  kind: 'compare',
  field,
  op,
  value,
})
const compares = {
  gte: (value: number, than: number) => value >= than,
  gt: (value: number, than: number) => value > than,
  lte: (value: number, than: number) => value <= than,
  lt: (value: number, than: number) => value < than,
} as const

test('a duration is within the bounds if and only if every comparison holds, for any values', () => {
  const values = [-1e300, -1, -0.5, 0, 0.5, 1, 59.5, 60, LAST_NUMBER, LAST_NUMBER + 1, 1e300]
  const durations = [0, 1, 59, 60, 61, LAST_NUMBER]
  const ops = Object.keys(compares) as Comparison[]
  let tried = 0
  for (const one of ops) {
    for (const other of ops) {
      for (const x of values) {
        for (const y of values) {
          const parts = [compare('duration', one, x), compare('duration', other, y)]
          const { least, most } = boundsOf(parts).bounds!.duration
          assert.ok(Number.isSafeInteger(least) && Number.isSafeInteger(most), `${least} to ${most}`)
          for (const duration of durations) {
            const isMatch = compares[one](duration, x) && compares[other](duration, y)
            assert.equal(
              duration >= least && duration <= most,
              isMatch,
              `${duration} ${one} ${x} ${other} ${y}`,
            )
            tried += 1
          }
        }
      }
    }
  }
  assert.equal(tried, 16 * values.length ** 2 * durations.length)
})

test('bounds of dates exclude a video without a date, and bounds of a duration alone do not', () => {
  for (const op of ['gte', 'lte'] as const) {
    const { least } = boundsOf([compare('date_published', op, 0)]).bounds!.publishedMs
    assert.ok(least > FIRST_MS)
  }
  assert.deepEqual(boundsOf([compare('duration', 'gt', 5)]).bounds!.publishedMs, NO_BOUNDS.publishedMs)
})

test('filters that set no bounds are left for the records', () => {
  const others: Filter[] = [
    { kind: 'in', field: 'duration', values: [60] },
    { kind: 'not', of: compare('duration', 'gt', 5) },
    { kind: 'compare', field: 'season_number', op: 'gte', value: 2 },
  ]
  assert.deepEqual(boundsOf(others), { bounds: null, rest: others })
  assert.deepEqual(boundsOf([compare('duration', 'gt', 5), ...others]).rest, others)
})
