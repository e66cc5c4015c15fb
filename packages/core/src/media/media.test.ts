import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aMedia, ticks } from '../schedule/testing/a-schedule.ts'
import { loopOf, segmentsWithin, ticksBefore } from './media.ts'

test('a tail shorter than a GOP is part of the last segment', () => {
  const media = aMedia('one', 10)

  assert.equal(media.segmentCount, 3)
  assert.equal(ticksBefore(media, 2), ticks(6.4))
  assert.equal(ticksBefore(media, 3), ticks(10))
})

test('past the last segment, the media has ended', () => {
  const media = aMedia('one', 10)

  assert.equal(ticksBefore(media, 4), ticks(10))
  assert.equal(segmentsWithin(media, ticks(99)), 3)
})

test('the last segment ends with its tail, not after the regular length', () => {
  const media = aMedia('one', 10)

  assert.equal(segmentsWithin(media, ticks(9.6)), 2)
  assert.equal(segmentsWithin(media, ticks(10) - 1), 2)
  assert.equal(segmentsWithin(media, ticks(10)), 3)
})

test('a last segment that is shorter than the others ends early', () => {
  const media = aMedia('one', 8.4)

  assert.equal(media.segmentCount, 3)
  assert.equal(segmentsWithin(media, ticks(8.4) - 1), 2)
  assert.equal(segmentsWithin(media, ticks(8.4)), 3)
})

test('a loop repeats all segments if they have the same length', () => {
  assert.deepEqual(loopOf(aMedia('slate', 16, 1_600)), { segmentTicks: ticks(1.6), segments: 10 })
})

test('a loop skips a last segment of another length', () => {
  assert.deepEqual(loopOf(aMedia('slate', 16.5, 1_600)), { segmentTicks: ticks(1.6), segments: 9 })
  assert.deepEqual(loopOf(aMedia('slate', 8.4)), { segmentTicks: ticks(3.2), segments: 2 })
})

test('a slate of a single segment is repeated as a whole, with its tail', () => {
  assert.deepEqual(loopOf(aMedia('slate', 2.5, 1_600)), { segmentTicks: ticks(2.5), segments: 1 })
})

test('segmentsWithin is the inverse of ticksBefore', () => {
  const anyMedia = fc.integer({ min: 1, max: 4_000 }).map((frames) => aMedia('any', frames / 30))
  fc.assert(
    fc.property(anyMedia, fc.nat(2_000), (media, number) => {
      const segment = number % (media.segmentCount + 1)

      assert.equal(segmentsWithin(media, ticksBefore(media, segment)), segment)
      if (segment > 0) assert.equal(segmentsWithin(media, ticksBefore(media, segment) - 1), segment - 1)
    }),
  )
})
