import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aMedia, ticks } from '../schedule/testing/a-schedule.ts'
import { cutAt, frameAt, planGops, planParts, usableCuePoints } from './cue-points.ts'
import type { FrameRate, SegmentMs } from './house-format.ts'
import { longestSegment, loopOf, segmentsWithin, ticksBefore } from './media.ts'

const seconds = (list: readonly number[]) => list.map((it) => it / 90_000)

/** The end of each of a row of lengths. */
function sums(lengths: readonly number[]): readonly number[] {
  const ends: number[] = []
  for (const length of lengths) ends.push((ends.at(-1) ?? 0) + length)
  return ends
}

test('every part is segmented like a file of its own', () => {
  const { segments, cuts } = planParts(1_200, [311, 733], 30, 3_200)

  assert.deepEqual(
    segments.map((it) => it / 3_000),
    [96, 96, 119, 96, 96, 96, 134, 96, 96, 96, 96, 83],
  )
  assert.deepEqual(cuts, [
    { segment: 3, ticks: 311 * 3_000 },
    { segment: 7, ticks: 733 * 3_000 },
  ])
})

test('a cue point after the end, or less than a GOP before it, is ignored', () => {
  assert.deepEqual(planParts(400, [353, 900], 30, 3_200), planParts(400, [], 30, 3_200))
  assert.equal(planParts(401, [353], 30, 3_200).cuts.length, 1)
  assert.deepEqual(seconds(planParts(10, [300], 25, 3_200).segments), [1.6])
})

const anyRate = fc.constantFrom<FrameRate>(25, 30)
const anySegment = fc.constantFrom<SegmentMs>(3_200, 6_400)
const anyCues = fc.array(fc.integer({ min: 0, max: 400_000 }), { maxLength: 12 }).map(usableCuePoints)
const anyFrames = fc.integer({ min: 1, max: 12_000 })

test('a segment ends at every cue point, none is shorter than a GOP or longer than the target duration', () => {
  fc.assert(
    fc.property(anyFrames, anyCues, anyRate, anySegment, (frames, cues, rate, segmentMs) => {
      const { segments } = planParts(
        frames,
        cues.map((it) => frameAt(it, rate)),
        rate,
        segmentMs,
      )

      const ends = sums(segments)
      for (const cue of cues) {
        const frame = Math.round((cue * rate) / 1_000)
        if (frame + 1.6 * rate <= frames) assert.ok(ends.includes((frame * 90_000) / rate))
      }
      assert.ok(segments.every((it) => it >= 1.6 * 90_000 && it < segmentMs * 90 + 1.6 * 90_000))
      assert.equal(ends.at(-1), Math.max(frames * (90_000 / rate), 1.6 * 90_000))
    }),
  )
})

test('every segment is a whole number of the GOPs that are encoded', () => {
  fc.assert(
    fc.property(anyFrames, anyCues, anyRate, anySegment, (frames, cues, rate, segmentMs) => {
      const cueFrames = cues.map((it) => frameAt(it, rate))
      const gops = planGops(frames, cueFrames, rate)

      const starts = new Set([0, ...sums(gops)])
      assert.equal(sums(gops).at(-1), frames)
      let start = 0
      for (const length of planParts(frames, cueFrames, rate, segmentMs).segments) {
        assert.ok(starts.has(start), `${start}`)
        start += (length * rate) / 90_000
      }
    }),
  )
})

test('segmentsWithin is the inverse of ticksBefore in media with parts too', () => {
  const anyMedia = fc.tuple(anyFrames, anyCues).map(([frames, cues]) =>
    aMedia(
      'any',
      frames / 30,
      3_200,
      cues.map((it) => it / 1_000),
    ),
  )
  fc.assert(
    fc.property(anyMedia, fc.nat(2_000), (media, number) => {
      const segment = number % (media.segmentCount + 1)

      assert.equal(segmentsWithin(media, ticksBefore(media, segment)), segment)
      if (segment > 0) assert.equal(segmentsWithin(media, ticksBefore(media, segment) - 1), segment - 1)
    }),
  )
})

test('the boundary at a cue point is found, and between cue points the nearest one', () => {
  const media = aMedia('film', 60, 3_200, [20.5, 40])

  // 6 segments before 20.5 s, of which the last has 4.5 s; 6 before 40 s; 6 after it.
  assert.deepEqual(cutAt(media, 20_500), { segment: 6, offsetMs: 0 })
  assert.deepEqual(cutAt(media, 20_510), { segment: 6, offsetMs: -10 })
  assert.deepEqual(cutAt(media, 40_000), { segment: 12, offsetMs: 0 })
  assert.deepEqual(cutAt(media, 18_000), { segment: 5, offsetMs: -2_000 })
  assert.deepEqual(cutAt(media, 19_000), { segment: 6, offsetMs: 1_500 })
  assert.deepEqual(cutAt(media, 0), { segment: 0, offsetMs: 0 })
  assert.deepEqual(cutAt(media, 99_000), { segment: media.segmentCount, offsetMs: -39_000 })
})

test('of two boundaries that are equally near, the earlier is taken', () => {
  assert.deepEqual(cutAt(aMedia('film', 16), 4_800), { segment: 1, offsetMs: -1_600 })
})

test('a loop repeats regular segments of the first part', () => {
  assert.deepEqual(loopOf(aMedia('slate', 60, 3_200, [10.1])), { segmentTicks: ticks(3.2), segments: 2 })
  assert.deepEqual(loopOf(aMedia('slate', 60, 3_200, [12.8])), { segmentTicks: ticks(3.2), segments: 4 })
})

test('the longest segment can be the last of any part', () => {
  assert.equal(longestSegment(aMedia('film', 32, 3_200, [14])), ticks(4.4))
  assert.equal(longestSegment(aMedia('film', 36.4, 3_200, [12.8])), ticks(4.4))
  assert.equal(longestSegment(aMedia('film', 12.8)), ticks(3.2))
})

test('times that are too near to the one before, or to the start, are no cue points', () => {
  assert.deepEqual(usableCuePoints([45_000, 9_999, 0, 30_000, 39_999, 10_000]), [10_000, 30_000, 45_000])
  assert.equal(usableCuePoints(Array.from({ length: 200 }, (_, at) => at * 60_000)).length, 100)
})
