import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layOut } from '../schedule/lay-out.ts'
import {
  aMedia,
  aPod,
  aProgram,
  at,
  aVideo,
  layOutSeconds,
  someSlates,
  ticks,
} from '../schedule/testing/a-schedule.ts'
import { endOfSpan, type Span } from '../timeline/span.ts'
import { numberPlacements } from './number-placements.ts'

const program = aProgram(0, 200, aVideo('one', 64), aPod(80), aPod(16), aVideo('two', 32))

const aFill = aMedia('fill', 16)
const [, pod, otherPod] = numberPlacements(layOutSeconds(0, 199, [program]).placements, 100)

/** The spans after the first `segments` segments of a span. */
function numberedAfter(span: Span, segments: number, programs = [program]): readonly Span[] {
  const before = { ...span, segments }
  const fromTicks = endOfSpan(before)
  const { placements } = layOut({ fromTicks, untilTicks: at(199), programs, slates: someSlates(), before })
  return numberPlacements(placements, span.firstSequence + segments, before)
}

test('placements are numbered one after the other, and a pod begins an ad break', () => {
  assert.deepEqual(
    [pod!.firstSequence, otherPod!.firstSequence, otherPod!.discontinuity - pod!.discontinuity],
    [120, 170, 5],
  )
  assert.deepEqual(pod!.adBreak, { sequence: 120, startTicks: at(64), plannedTicks: ticks(80) })
})

test('a continued pod keeps its ad break, both in the middle of its loop and where the loop restarts', () => {
  for (const segments of [1, 10, 13, 20, 49]) {
    const [first] = numberedAfter(pod!, segments)

    assert.equal(first?.airing.component, 1)
    assert.deepEqual(first.adBreak, pod!.adBreak)
    assert.equal(endOfSpan(first), at(144))
  }
})

test('a pod that is continued twice keeps its ad break', () => {
  const [again] = numberedAfter(numberedAfter(pod!, 13)[0]!, 4)

  assert.deepEqual([again?.segments, again?.adBreak], [33, pod!.adBreak])
})

test('the next pod is another ad break, also directly after the first', () => {
  const [first] = numberedAfter(pod!, 50)

  assert.deepEqual(first?.adBreak, { sequence: 170, startTicks: at(144), plannedTicks: ticks(16) })
})

test('a pod begins its own ad break after anything else, such as a video or a live source', () => {
  const rest = { ...pod!, segments: 5 }
  const [first] = numberedAfter(rest, 5)
  const own = { sequence: 125, startTicks: first!.startTicks, plannedTicks: ticks(72) }
  const { show, ...placed } = first!
  assert.ok(show.kind === 'asset' && rest.show.kind === 'asset')
  const placements = [{ ...placed, show, adBreakTicks: ticks(72) }]
  const after = (before: Span) => numberPlacements(placements, 125, before)[0]?.adBreak
  const live = {
    kind: 'live',
    sourceId: 's',
    firstSlot: 1,
    joinedSlot: 1,
    slotTicks: 1,
    fill: aFill,
  } as const

  assert.deepEqual(after(rest), pod!.adBreak)
  assert.deepEqual(after({ ...rest, airing: { ...rest.airing, type: 'VIDEO' } }), own)
  assert.deepEqual(after({ ...rest, airing: { ...rest.airing, component: 3 } }), own)
  assert.deepEqual(after({ ...rest, airing: { ...rest.airing, program: null } }), own)
  assert.deepEqual(after({ ...rest, show: live }), own)
  assert.deepEqual(after({ ...rest, adBreak: null }), own)
  assert.deepEqual(after({ ...rest, show: { ...rest.show, media: { ...aFill, path: 'other' } } }), own)
  // A video is no ad break, whatever precedes it.
  const video = {
    ...placements[0]!,
    airing: { ...first!.airing, type: 'VIDEO' },
    adBreakTicks: null,
  } as const
  assert.equal(numberPlacements([video], 125, rest)[0]?.adBreak, null)
})

test('a pod that is joined by time begins its own ad break', () => {
  const { placements } = layOutSeconds(72, 199, [program])
  const own = { sequence: 7, startTicks: at(72), plannedTicks: ticks(72) }
  const before = { ...pod!, segments: 3 }
  const elsewhere = { ...pod!.airing, program: aProgram(1, 2).program }

  assert.deepEqual(numberPlacements(placements, 7)[0]?.adBreak, own)
  assert.deepEqual(numberPlacements(placements, 7, before)[0]?.adBreak, own)
  assert.deepEqual(
    numberPlacements(placements, 7, { ...pod!, segments: 5, airing: elsewhere })[0]?.adBreak,
    own,
  )
})
