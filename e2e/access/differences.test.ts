import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printDifferences } from './differences.ts'

const aDifference = { operation: 'getUser', what: 'its id', expected: '404 user.not_found', got: '200' }

test('differences are printed as a table, one line each', () => {
  const table = printDifferences([aDifference, { ...aDifference, operation: 'x', got: '500 internal.error' }])

  assert.deepEqual(table.split('\n'), [
    'operation  what    expected            got',
    'getUser    its id  404 user.not_found  200',
    'x          its id  404 user.not_found  500 internal.error',
  ])
})

test('two long texts are shown from where they differ', () => {
  const long = 'the same words for a while, and on and on'

  const [, line] = printDifferences([{ ...aDifference, expected: `${long} A`, got: `${long} B` }]).split('\n')

  assert.match(
    line ?? '',
    /^getUser +its id +…ds for a while, and on and on A +…ds for a while, and on and on B$/,
  )
})

test('prints only the first 30 differences', () => {
  const lines = printDifferences(Array.from({ length: 100 }, () => aDifference)).split('\n')

  assert.equal(lines.length, 32)
  assert.equal(lines.at(-1), '… and 70 more')
})
