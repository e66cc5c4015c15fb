import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeLines } from './follow-request.ts'
import { anAdPod, anItem, aStatus, notFound } from './testing/a-status.ts'

const titles = new Map([['a', 'The Tide Table']])

test('the first lines list items that are in progress or failed', () => {
  const items = [
    anItem('a', 'FETCHING', 0.1),
    anAdPod,
    anItem('b', 'QUEUED'),
    anItem('c', 'FAILED', 0, notFound),
  ]

  assert.deepEqual(changeLines(undefined, aStatus(items), titles), [
    'Harbour Nights  PROCESSING  1 of 4 READY, 1 FAILED',
    '  The Tide Table  FETCHING  10 %',
    '  c  FAILED  The address answers 404. (fetch.not_found)',
  ])
})

test('after that, lines list every change of state and every further quarter', () => {
  const before = aStatus([anItem('a', 'FETCHING', 0.1), anItem('b', 'QUEUED')])
  const little = aStatus([anItem('a', 'FETCHING', 0.2), anItem('b', 'QUEUED')])
  const quarter = aStatus([anItem('a', 'FETCHING', 0.3), anItem('b', 'FETCHING', 0)])
  const ready = aStatus([anItem('a', 'READY'), anItem('b', 'FETCHING', 0.1)])

  assert.deepEqual(changeLines(before, little, titles), [])
  assert.deepEqual(changeLines(little, quarter, titles), [
    '  The Tide Table  FETCHING  30 %',
    '  b  FETCHING  0 %',
  ])
  assert.deepEqual(changeLines(quarter, ready, titles), [
    'Harbour Nights  PROCESSING  1 of 2 READY',
    '  The Tide Table  READY',
  ])
})
