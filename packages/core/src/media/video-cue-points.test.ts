import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { frameAt, planParts, usableCuePoints } from './cue-points.ts'
import type { FrameRate, SegmentMs } from './house-format.ts'
import type { Media } from './media.ts'
import { findCueFault, hasBoundaries, listCuePoints, usedCues, usedOf } from './video-cue-points.ts'

/** As packaged with cue points. */
function packaged(
  frames: number,
  cuesMs: readonly number[],
  rate: FrameRate = 25,
  segmentMs: SegmentMs = 3_200,
): Media {
  const { segments, cuts } = planParts(
    frames,
    cuesMs.map((ms) => frameAt(ms, rate)),
    rate,
    segmentMs,
  )
  return {
    path: 'assets/a/b/c',
    segmentTicks: segmentMs * 90,
    segmentCount: segments.length,
    durationTicks: segments.reduce((sum, it) => sum + it, 0),
    ...(cuts.length === 0 ? {} : { cuts }),
  }
}

const found = { chaptersMs: [0, 20_000, 45_000], proposedMs: [70_000] }

test('without given cue points the chapters are used, and proposals are listed', () => {
  const points = listCuePoints(null, found, packaged(2_500, [20_000, 45_000]))

  assert.deepEqual(points, [
    { at_ms: 20_000, origin: 'CHAPTER', offset_ms: 0 },
    { at_ms: 45_000, origin: 'CHAPTER', offset_ms: 0 },
    { at_ms: 70_000, origin: 'PROPOSED', offset_ms: 600 },
  ])
  assert.deepEqual(usedOf(points), [20_000, 45_000])
})

test('given cue points replace the chapters, which become proposals, and show their distance to a boundary', () => {
  const points = listCuePoints([30_010, 52_000], found, packaged(2_500, [20_000, 45_000]))

  assert.deepEqual(points, [
    { at_ms: 20_000, origin: 'PROPOSED', offset_ms: 0 },
    { at_ms: 30_010, origin: 'GIVEN', offset_ms: -410 },
    { at_ms: 52_000, origin: 'GIVEN', offset_ms: -600 },
    { at_ms: 70_000, origin: 'PROPOSED', offset_ms: 600 },
  ])
  // The chapter at 45 s is less than 10 s from a given one.
  assert.deepEqual(usedOf(points), [30_010, 52_000])
})

test('an empty list is no cue point at all, and without a package nothing has an offset', () => {
  assert.deepEqual(usedOf(listCuePoints([], found, undefined)), [])
  assert.deepEqual(listCuePoints([15_000], { chaptersMs: [], proposedMs: [] }, undefined), [
    { at_ms: 15_000, origin: 'GIVEN', offset_ms: null },
  ])
})

const anyGiven = fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 12 }).map(usableCuePoints)
const anyRate = fc.constantFrom<FrameRate>(25, 30)
const anySegment = fc.constantFrom<SegmentMs>(3_200, 6_400)

test('a package made with cue points has their boundaries, and one made without a cue point has not', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12_000 }),
      anyGiven,
      anyRate,
      anySegment,
      (frames, given, rate, segmentMs) => {
        assert.ok(hasBoundaries(packaged(frames, given, rate, segmentMs), given, rate))
      },
    ),
  )
  assert.ok(!hasBoundaries(packaged(2_500, [20_000]), [20_000, 45_000], 25))
  // 44.8 s is a boundary of segments of 3.2 s; 98.5 s is less than a GOP before the end.
  assert.ok(hasBoundaries(packaged(2_500, []), [44_800, 98_500], 25))
})

test('chapters that are too close to be cue points need no other package', () => {
  const close = { chaptersMs: [0, 4_000, 20_000, 25_000], proposedMs: [] }

  assert.deepEqual(usedCues(null, close), [20_000])
  assert.ok(hasBoundaries(packaged(2_500, [20_000]), usedCues(null, close), 25))
})

test('given cue points are 10 s apart and from the start, before the end, and 100 at most', () => {
  const fault = (timesMs: readonly number[]) => findCueFault(timesMs, 60_000)

  assert.equal(fault([]), undefined)
  assert.equal(fault([10_000, 20_000, 59_999]), undefined)
  assert.equal(fault([59_999, 10_000]), undefined)
  assert.deepEqual(fault([9_999]), { index: 0, message: 'must be at least 10000 ms after the start.' })
  assert.deepEqual(fault([40_000, 30_001]), {
    index: 0,
    message: 'must be at least 10000 ms after the cue point at 30001.',
  })
  assert.deepEqual(fault([20_000, 60_000]), {
    index: 1,
    message: 'must be before the end of the video at 60000.',
  })
  const many = Array.from({ length: 101 }, (_, at) => (at + 1) * 10_000)
  assert.equal(findCueFault(many.slice(0, 100), 2_000_000), undefined)
  assert.equal(findCueFault(many, 2_000_000)?.index, 100)
})
