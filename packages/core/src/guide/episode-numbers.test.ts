import assert from 'node:assert/strict'
import { test } from 'node:test'
import { episodeNumbersOf } from './print-xmltv.ts'

const numbersOf = (...[seasonNumber, episodeNumber]: readonly (number | undefined)[]) =>
  episodeNumbersOf({
    ...(seasonNumber === undefined ? {} : { seasonNumber }),
    ...(episodeNumber === undefined ? {} : { episodeNumber }),
  }).map(({ system, value }) => `${system} ${value}`)

test('an episode has its number in both notations, of which one counts from zero', () => {
  assert.deepEqual(numbersOf(1, 2), ['xmltv_ns 0.1.', 'onscreen S01E02'])
  assert.deepEqual(numbersOf(12, 100), ['xmltv_ns 11.99.', 'onscreen S12E100'])
})

test('what is unknown is left out', () => {
  assert.deepEqual(numbersOf(3, undefined), ['xmltv_ns 2..', 'onscreen S03'])
  assert.deepEqual(numbersOf(undefined, 4), ['xmltv_ns .3.', 'onscreen E04'])
  assert.deepEqual(numbersOf(undefined, undefined), [])
})

test('a special of season 0 has no number that counts from zero', () => {
  assert.deepEqual(numbersOf(0, 5), ['xmltv_ns .4.', 'onscreen S00E05'])
  assert.deepEqual(numbersOf(0, undefined), ['onscreen S00'])
  assert.deepEqual(numbersOf(-1, -1), [])
})
