import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ticksOf } from '../time/ticks.ts'
import { printDate, printDuration, printSeconds } from './print-time.ts'

test('a date is printed as by toISOString, whatever was printed before', () => {
  const anyMs = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) })
  fc.assert(
    fc.property(fc.array(anyMs, { minLength: 1, maxLength: 5 }), (times) => {
      for (const ms of times) assert.equal(printDate(ticksOf(ms)), new Date(ms).toISOString())
    }),
  )
})

test('the first and the last millisecond of a day belong to it', () => {
  const midnightMs = Date.UTC(2028, 1, 29)

  assert.equal(printDate(ticksOf(midnightMs - 1)), '2028-02-28T23:59:59.999Z')
  assert.equal(printDate(ticksOf(midnightMs)), '2028-02-29T00:00:00.000Z')
  assert.equal(printDate(ticksOf(midnightMs + 86_400_000 - 1)), '2028-02-29T23:59:59.999Z')
})

test('a time between two milliseconds is rounded down', () => {
  assert.equal(printDate(ticksOf(1_000) + 89), '1970-01-01T00:00:01.000Z')
})

test('a duration has six decimals, so that frames add up', () => {
  assert.equal(printDuration(288_000), '3.200000')
  assert.equal(printDuration(131 * 3_000), '4.366667')
})

test('seconds have three decimals, as `toFixed` prints them', () => {
  assert.equal(printSeconds(0), '0.000')
  assert.equal(printSeconds(90 * 7), '0.007')
  assert.equal(printSeconds(131 * 3_000), '4.367')
  fc.assert(
    fc.property(fc.nat(100_000_000), (ms) => {
      assert.equal(printSeconds(ticksOf(ms)), (ms / 1_000).toFixed(3))
    }),
  )
})
