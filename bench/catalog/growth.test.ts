import assert from 'node:assert/strict'
import { test } from 'node:test'
import { growthOf } from './growth.ts'

const proof = `| figure | measured | target | |
|---|---|---|---|
| search_frequent_p95_ms | 20 | at most 50 | met |
| search_frequent_bare_p95_ms | 10 |  |  |
| search_frequent_ratio | 2 | at most 1.5 | **not met** |
`

test('a larger catalog is held against the proof of the smaller one, time by time', () => {
  const measured = { search_frequent_p95_ms: 25, search_frequent_bare_p95_ms: 11, search_frequent_ratio: 2.1 }

  const { figures, targets } = growthOf({ ...measured, search_third_p95_ms: 40 }, proof)

  assert.deepEqual(figures, { search_frequent_p95_growth: 1.25, search_third_p95_growth: 2 })
  assert.deepEqual(Object.keys(targets), Object.keys(figures))
})

test('without a proof of the smaller one nothing is said of growth', () => {
  assert.deepEqual(growthOf({ search_rare_p95_ms: 3 }, ''), { figures: {}, targets: {} })
})
