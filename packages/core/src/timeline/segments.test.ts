import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asRunOf } from '../as-run/as-run.ts'
import { aMedia, at, ticks } from '../schedule/testing/a-schedule.ts'
import { noLive } from './discontinuity.ts'
import { knownUntil, segmentsBetween } from './segments.ts'
import { aLiveRun, aRun, breaksFor, loops, plays, playsAll } from './testing/a-run.ts'
import { aLog, aTimeline, aView, shownFrom } from './testing/a-timeline.ts'

test('segments between two sequence numbers are returned, the last number is exclusive', () => {
  const timeline = aTimeline(aRun({ sequence: 10 }, plays('one', 2), loops('slate', 30)))

  assert.deepEqual(shownFrom(timeline, 11, 14), ['one/1', 'slate/0', 'slate/1'])
  assert.deepEqual(shownFrom(timeline, 20, 23), ['slate/8', 'slate/9', 'slate/0'])
})

test('there are no segments after the end of the timeline', () => {
  const timeline = aTimeline(aRun({ sequence: 10 }, plays('one', 2)))

  assert.deepEqual(shownFrom(timeline, 11, 99), ['one/1'])
  assert.deepEqual(shownFrom(timeline, 12, 99), [])
})

test('sequence numbers continue across the time that a channel was off', () => {
  const timeline = aTimeline(
    aRun({ isEnd: true }, plays('one', 2)),
    aRun({ number: 2, sequence: 2, startSeconds: 99, shownFromSeconds: 131 }, plays('two', 2)),
  )

  assert.deepEqual(shownFrom(timeline, 1, 4), ['one/1', 'two/0', 'two/1'])
})

test('a segment has its own start and duration', () => {
  const timeline = aTimeline(aRun({}, playsAll(aMedia('one', 10)), plays('two', 1)))

  const times = [...segmentsBetween(timeline, 1, 4, noLive)].map(({ startTicks, durationTicks }) => [
    startTicks,
    durationTicks,
  ])

  assert.deepEqual(times, [
    [at(3.2), ticks(3.2)],
    [at(6.4), ticks(3.6)],
    [at(10), ticks(3.2)],
  ])
})

test('a live slot is aired as its content: the source, the slate that replaces it, or an ad break', () => {
  const slate = aMedia('ad', 16)
  const breaks = [
    { firstSlot: 102, plannedSlots: 1, endSlot: 103, slate },
    { firstSlot: 103, plannedSlots: 1, endSlot: 104, slate: null },
  ]
  const live = aView(aLog([101], breaks))

  const airings = [...segmentsBetween(aTimeline(aLiveRun({})), 0, 4, live)].map(({ airing }) => [
    airing.type,
    airing.referenceId,
  ])

  assert.deepEqual(airings, [
    ['LIVE', 'north'],
    ['SLATE', null],
    ['AD_POD', null],
    ['AD_POD', null],
  ])
})

test("a segment of an ad break has the sequence number of the break's start, in a live span the same as its markers", () => {
  const breaks = [
    { firstSlot: 98, plannedSlots: 4, endSlot: 102, slate: null },
    { firstSlot: 102, plannedSlots: 9, endSlot: 105, slate: null },
  ]
  const live = aView(aLog([103], breaks))
  const timeline = aTimeline(
    aRun({}, plays('one', 1), breaksFor(2)),
    aLiveRun({ number: 2, sequence: 3, startSeconds: 6.4, segments: 1 }),
    aLiveRun({ number: 3, sequence: 4, startSeconds: 9.6, firstSlot: 101, joinedSlot: 100 }),
  )

  const sequences = [...segmentsBetween(timeline, 0, 9, live)].map(({ breakSequence }) => breakSequence)

  // A channel that joins during a break has its own; a missing slot is a slate, and not part of the break.
  assert.deepEqual(sequences, [null, 1, 1, 3, 3, 5, null, 5, null])
})

test('two adjacent breaks of a live source are two entries of the as-run record', () => {
  const breaks = [
    { firstSlot: 101, plannedSlots: 2, endSlot: 103, slate: null },
    { firstSlot: 103, plannedSlots: 3, endSlot: 106, slate: null },
  ]
  const segments = segmentsBetween(aTimeline(aLiveRun({})), 0, 8, aView(aLog([], breaks)))

  const entries = asRunOf(segments).map(({ type, segments: count }) => `${type} ${count}`)

  assert.deepEqual(entries, ['LIVE 1', 'AD_POD 2', 'AD_POD 3', 'LIVE 2'])
})

test('what was shown of a live source is known as far as its log was read', () => {
  const timeline = aTimeline(
    aRun({}, plays('one', 5)),
    aLiveRun({ number: 2, sequence: 5, startSeconds: 16, segments: 10 }),
    aRun({ number: 3, sequence: 15, startSeconds: 48 }, plays('two', 5)),
  )
  const read = (slot: number) => aView({ ...aLog(), knownUntil: slot })

  assert.equal(knownUntil(timeline, 0, 20, read(110)), 20)
  assert.equal(knownUntil(timeline, 0, 20, read(109)), 14)
  assert.equal(knownUntil(timeline, 0, 20, read(100)), 5)
  assert.equal(knownUntil(timeline, 0, 20, noLive), 5, 'no log')
  assert.equal(knownUntil(timeline, 0, 5, noLive), 5)
  assert.equal(knownUntil(timeline, 8, 20, read(101)), 8)
  assert.equal(knownUntil(timeline, 15, 20, noLive), 20)
  assert.equal(knownUntil(timeline, 0, 9, read(104)), 9)
})
