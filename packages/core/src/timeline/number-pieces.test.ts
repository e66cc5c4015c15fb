import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOut } from '../schedule/lay-out.ts'
import {
  aPod,
  aProgram,
  at,
  aVideo,
  layOutSeconds,
  someSlates,
  ticks,
} from '../schedule/testing/a-schedule.ts'
import { numberPieces } from './number-pieces.ts'
import { endOfSpan, type Span } from './span.ts'

const program = aProgram(0, 200, aVideo('one', 64), aPod(80), aPod(16), aVideo('two', 32))

const [, pod, otherPod] = numberPieces(layOutSeconds(0, 199, [program]).pieces, 100)

/** What is numbered after so many segments of a span. */
function numberedAfter(span: Span, segments: number, programs = [program]): readonly Span[] {
  const before = { ...span, segments }
  const fromTicks = endOfSpan(before)
  const { pieces } = layOut({ fromTicks, untilTicks: at(199), programs, slates: someSlates(), before })
  return numberPieces(pieces, span.firstSequence + segments, before)
}

test('pieces are numbered one after the other, and a pod opens a break where it begins', () => {
  assert.deepEqual(
    [pod!.firstSequence, otherPod!.firstSequence, otherPod!.discontinuity - pod!.discontinuity],
    [120, 170, 5],
  )
  assert.deepEqual(pod!.adBreak, { sequence: 120, startTicks: at(64), plannedTicks: ticks(80) })
})

test('a pod that is gone on with is the same break, in the middle of its loop and where that begins anew', () => {
  for (const segments of [1, 10, 13, 20, 49]) {
    const [first] = numberedAfter(pod!, segments)

    assert.equal(first?.airing.component, 1)
    assert.deepEqual(first.adBreak, pod!.adBreak)
    assert.equal(endOfSpan(first), at(144))
  }
})

test('a pod that is gone on with twice is still the same break', () => {
  const [again] = numberedAfter(numberedAfter(pod!, 13)[0]!, 4)

  assert.deepEqual([again?.segments, again?.adBreak], [33, pod!.adBreak])
})

test('another pod is another break, also right behind', () => {
  const [first] = numberedAfter(pod!, 50)

  assert.deepEqual(first?.adBreak, { sequence: 170, startTicks: at(144), plannedTicks: ticks(16) })
})

test('a pod that is joined by time opens a break of its own', () => {
  const { pieces } = layOutSeconds(72, 199, [program])
  const own = { sequence: 7, startTicks: at(72), plannedTicks: ticks(72) }
  const before = { ...pod!, segments: 3 }
  const elsewhere = { ...pod!.airing, program: aProgram(1, 2).program }

  assert.deepEqual(numberPieces(pieces, 7)[0]?.adBreak, own)
  assert.deepEqual(numberPieces(pieces, 7, before)[0]?.adBreak, own)
  assert.deepEqual(numberPieces(pieces, 7, { ...pod!, segments: 5, airing: elsewhere })[0]?.adBreak, own)
})
