import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aMedia, at, ticks } from '../schedule/testing/a-schedule.ts'
import { noLive } from './discontinuity.ts'
import { segmentsBetween } from './segments.ts'
import { aLiveRun, aRun, loops, plays, playsAll } from './testing/a-run.ts'
import { aLog, aTimeline, aView, shownFrom } from './testing/a-timeline.ts'

test('segments are those with the numbers that were asked for, the last not among them', () => {
  const timeline = aTimeline(aRun({ sequence: 10 }, plays('one', 2), loops('slate', 30)))

  assert.deepEqual(shownFrom(timeline, 11, 14), ['one/1', 'slate/0', 'slate/1'])
  assert.deepEqual(shownFrom(timeline, 20, 23), ['slate/8', 'slate/9', 'slate/0'])
})

test('where the timeline ends there are no more', () => {
  const timeline = aTimeline(aRun({ sequence: 10 }, plays('one', 2)))

  assert.deepEqual(shownFrom(timeline, 11, 99), ['one/1'])
  assert.deepEqual(shownFrom(timeline, 12, 99), [])
})

test('over the time that a channel was off, numbers go on', () => {
  const timeline = aTimeline(
    aRun({ isEnd: true }, plays('one', 2)),
    aRun({ number: 2, sequence: 2, startSeconds: 99, shownFromSeconds: 131 }, plays('two', 2)),
  )

  assert.deepEqual(shownFrom(timeline, 1, 4), ['one/1', 'two/0', 'two/1'])
})

test('a segment has its own place and length', () => {
  const timeline = aTimeline(aRun({}, playsAll(aMedia('one', 10)), plays('two', 1)))

  const places = [...segmentsBetween(timeline, 1, 4, noLive)].map(({ startTicks, durationTicks }) => [
    startTicks,
    durationTicks,
  ])

  assert.deepEqual(places, [
    [at(3.2), ticks(3.2)],
    [at(6.4), ticks(3.6)],
    [at(10), ticks(3.2)],
  ])
})

test('a live slot is aired as what was in it: the source, the slate in its place, or an ad break', () => {
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
