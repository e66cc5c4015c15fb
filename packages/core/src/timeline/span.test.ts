import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aMedia, at, ticks } from '../schedule/testing/a-schedule.ts'
import { endOfSpan, offsetOf, type Span, segmentsEndedBy } from './span.ts'
import { aLiveRun, aRun, loops, type Part, plays, playsAll } from './testing/a-run.ts'

const spanOf = (part: Part): Span => aRun({}, part).spans[0]!

test('a span that ends with the last segment of its media has the tail', () => {
  const span = spanOf(playsAll(aMedia('one', 10)))

  assert.equal(endOfSpan(span), at(10))
})

test('a span that was cut before the last segment does not have the tail', () => {
  const span = spanOf({ ...playsAll(aMedia('one', 10)), segments: 2 })

  assert.equal(endOfSpan(span), at(6.4))
})

test('a span that begins in the middle of its media counts from there', () => {
  const media = aMedia('one', 10)
  const show = { kind: 'asset', media, firstSegment: 1, isLooped: false } as const

  assert.equal(offsetOf({ show }, 1), ticks(3.2))
  assert.equal(offsetOf({ show }, 2), ticks(6.8))
  assert.equal(segmentsEndedBy({ show, segments: 2 }, ticks(6.8) - 1), 1)
})

test('all segments of a looped span have the same length, also beyond the end of its media', () => {
  const media = aMedia('slate', 16.5, 1_600)
  const show = { kind: 'asset', media, firstSegment: 8, isLooped: true } as const

  assert.equal(offsetOf({ show }, 1_000), ticks(1_600))
  assert.equal(segmentsEndedBy({ show, segments: 2_000 }, ticks(1_600) - 1), 999)
})

test('a slate of a single segment is shown with its tail every time', () => {
  const show = { ...playsAll(aMedia('slate', 2.5, 1_600)).show, isLooped: true }

  assert.equal(offsetOf({ show }, 4), ticks(10))
  assert.equal(segmentsEndedBy({ show, segments: 9 }, ticks(10)), 4)
})

test('no segment has ended before a span begins, and never more than the span has', () => {
  const span = spanOf(plays('one', 5))

  assert.equal(segmentsEndedBy(span, -1), 0)
  assert.equal(segmentsEndedBy(span, 0), 0)
  assert.equal(segmentsEndedBy(span, ticks(320)), 5)
})

test('a segment has ended at its last tick, not one tick earlier', () => {
  fc.assert(
    fc.property(anySpan(), fc.nat(10_000), (span, number) => {
      const segment = 1 + (number % span.segments)
      const offset = offsetOf(span, segment)

      assert.equal(segmentsEndedBy(span, offset), segment)
      assert.equal(segmentsEndedBy(span, offset - 1), segment - 1)
    }),
  )
})

function anySpan(): fc.Arbitrary<Span> {
  const frames = fc.integer({ min: 48, max: 4_000 })
  return fc.oneof(
    frames.map((count) => spanOf(playsAll(aMedia('any', count / 30)))),
    fc.tuple(frames, fc.nat(50)).map(([count, first]) => {
      const part = playsAll(aMedia('any', count / 30))
      const firstSegment = first % part.segments
      return spanOf({ ...part, segments: part.segments - firstSegment, show: { ...part.show, firstSegment } })
    }),
    fc.integer({ min: 1, max: 500 }).map((segments) => spanOf(loops('slate', segments, 3))),
    fc.integer({ min: 1, max: 500 }).map((segments) => aLiveRun({ segments }).spans[0]!),
  )
}
