import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../../tools/figures/figures.ts'
import { growthOf } from './growth.ts'

const proof = `| figure | measured | target | |
|---|---|---|---|
| search_frequent_p95_ms | 20 | at most 50 | met |
| search_frequent_bare_p95_ms | 10 |  |  |
| search_frequent_ratio | 2 | at most 1.5 | **not met** |
`

test('compares the times of a larger catalog with the proof of the smaller one', () => {
  const measured = { search_frequent_p95_ms: 25, search_frequent_bare_p95_ms: 11, search_frequent_ratio: 2.1 }

  const { figures, targets } = growthOf({ ...measured, search_third_p95_ms: 40 }, proof)

  assert.deepEqual(figures, { search_frequent_p95_growth: 1.25, search_third_p95_growth: 2 })
  assert.deepEqual(Object.keys(targets), Object.keys(figures))
})

test('a time that the proof of the smaller catalog lacks misses its target', () => {
  const { verdicts } = judge(growthOf({ search_frequent_p95_ms: 25, search_rare_p95_ms: 3 }, proof))

  assert.deepEqual(
    verdicts.map(({ name, isMet }) => [name, isMet]),
    [
      ['search_frequent_p95_growth', true],
      ['search_rare_p95_growth', false],
    ],
  )
})
