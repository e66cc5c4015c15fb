import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, ticks } from '../schedule/testing/a-schedule.ts'
import { type BreakPolicy, breaksIn, type ShownBreak } from './breaks.ts'
import { type LiveView, noLive } from './discontinuity.ts'
import type { LiveBreak } from './live-log.ts'
import type { Timeline } from './run.ts'
import { aLiveRun, aRun, breaksFor, plays } from './testing/a-run.ts'
import { aLog, aTimeline, aView } from './testing/a-timeline.ts'
import { windowAt } from './window.ts'

const TICK = 1 / 90_000

/** The breaks in a window of 32 s, in seconds. The end is only given for breaks that are over. */
function breaksAt(
  timeline: Timeline,
  seconds: number,
  policy: BreakPolicy = 'ACTUAL',
  live: LiveView = noLive,
): readonly string[] {
  const window = windowAt(timeline, at(seconds), ticks(32), live)!
  return breaksIn(timeline, window, policy, live).map(describe)
}

function describe({
  sequence,
  startTicks,
  endTicks,
  plannedTicks,
  reportedTicks,
  isOver,
}: ShownBreak): string {
  const [start, end] = [startTicks - at(0), endTicks - at(0)].map((count) => count / 90_000)
  const planned = `${plannedTicks / 90_000} planned`
  if (!isOver) return `${sequence}: from ${start}, ${planned}`
  return `${sequence}: ${start}-${end}, ${planned}, ${reportedTicks / 90_000} reported`
}

const first = aRun({}, plays('one', 5), breaksFor(10), plays('two', 30))
const timeline = aTimeline(first)

test('a break is announced with the segment before it', () => {
  assert.deepEqual(breaksAt(timeline, 16 - TICK), [])
  assert.deepEqual(breaksAt(timeline, 16), ['5: from 16, 16 planned'])
})

test('the end of a break is reported with the first segment after it', () => {
  assert.deepEqual(breaksAt(timeline, 35.2 - TICK), ['5: from 16, 16 planned'])
  assert.deepEqual(breaksAt(timeline, 35.2), ['5: 16-32, 16 planned, 16 reported'])
})

test('a break is shown as long as the first segment after it is listed', () => {
  assert.deepEqual(breaksAt(timeline, 64), ['5: 16-32, 16 planned, 16 reported'])
  assert.deepEqual(breaksAt(timeline, 67.2), [])
})

test('a break longer than the window is shown until its end', () => {
  const long = aTimeline(aRun({}, plays('one', 5), breaksFor(60), plays('two', 30)))

  assert.deepEqual(breaksAt(long, 110), ['5: from 16, 96 planned'])
})

test('a break in several spans is one break', () => {
  const [before, pod, ...after] = first.spans
  const parts = [
    { ...pod!, segments: 4 },
    { ...pod!, startTicks: at(22.4), firstSequence: 9, segments: 6, show: { ...pod!.show, firstSegment: 4 } },
  ]
  const split = aTimeline({ ...first, spans: [before!, ...parts, ...after] })

  for (const seconds of [16, 24, 35.2, 60]) {
    assert.deepEqual(breaksAt(split, seconds), breaksAt(timeline, seconds))
  }
})

test('a break that is cut short ends at the cut, with its actual length', () => {
  const cut = aRun({ number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 }, plays('three', 30))

  assert.deepEqual(breaksAt(aTimeline(first, cut), 24 - TICK), ['5: from 16, 16 planned'])
  assert.deepEqual(breaksAt(aTimeline(first, cut), 24), ['5: 16-20.8, 16 planned, 4.8 reported'])
})

test('with FULL_LENGTH, a break that is cut short ends at the first boundary after its planned end', () => {
  const cut = aRun({ number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 }, plays('three', 30))
  const fullAt = (seconds: number) => breaksAt(aTimeline(first, cut), seconds, 'FULL_LENGTH')

  assert.deepEqual(fullAt(24), ['5: from 16, 16 planned'])
  assert.deepEqual(fullAt(36.8 - TICK), ['5: from 16, 16 planned'])
  assert.deepEqual(fullAt(36.8), ['5: 16-33.6, 16 planned, 16 reported'])
})

test('with FULL_LENGTH, a break lasts as long as planned, even if none of its segments are listed any more', () => {
  const long = aRun({}, plays('one', 5), breaksFor(60))
  const cut = aRun({ number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 }, plays('two', 90))

  assert.deepEqual(breaksAt(aTimeline(long, cut), 70, 'FULL_LENGTH'), ['5: from 16, 96 planned'])
  assert.deepEqual(breaksAt(aTimeline(long, cut), 70, 'ACTUAL'), [])
})

test('with FULL_LENGTH, a break of more than an hour ends at the cut, because the lookback is limited', () => {
  const long = aRun({}, plays('one', 5), breaksFor(2_300))
  const cut = aRun({ number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 }, plays('two', 90))

  assert.deepEqual(breaksAt(aTimeline(long, cut), 24, 'FULL_LENGTH'), [
    '5: 16-20.8, 3680 planned, 4.8 reported',
  ])
})

test('FULL_LENGTH does not change a break that was not cut', () => {
  for (const seconds of [16, 32, 35.2, 64, 67.2]) {
    assert.deepEqual(breaksAt(timeline, seconds, 'FULL_LENGTH'), breaksAt(timeline, seconds))
  }
})

test('breaks do not overlap: the next break ends one that is extended by FULL_LENGTH', () => {
  const cut = aRun(
    { number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 },
    plays('three', 1),
    breaksFor(10),
    plays('four', 30),
  )

  assert.deepEqual(breaksAt(aTimeline(first, cut), 27.2, 'FULL_LENGTH'), [
    '5: 16-24, 16 planned, 8 reported',
    '9: from 24, 16 planned',
  ])
})

test('consecutive breaks are separate', () => {
  const two = aTimeline(aRun({}, plays('one', 5), breaksFor(5), breaksFor(5), plays('two', 30)))

  assert.deepEqual(breaksAt(two, 35.2), [
    '5: 16-24, 8 planned, 8 reported',
    '10: 24-32, 8 planned, 8 reported',
  ])
})

test('the end of a break at the end of a channel is reported when the playlist is marked as ended', () => {
  const ended = aTimeline(aRun({ isEnd: true }, plays('one', 5), breaksFor(10)))

  assert.deepEqual(breaksAt(ended, 33.5 - TICK), ['5: from 16, 16 planned'])
  assert.deepEqual(breaksAt(ended, 33.5), ['5: 16-32, 16 planned, 16 reported'])
})

test('breaks from before a restart are not shown', () => {
  const restarted = aTimeline(
    aRun({ isEnd: true }, plays('one', 5), { ...breaksFor(10), segments: 3 }),
    aRun({ number: 2, sequence: 8, startSeconds: 21, shownFromSeconds: 24.2 }, plays('two', 30)),
  )

  assert.deepEqual(breaksAt(restarted, 27.4, 'FULL_LENGTH'), [])
})

const liveBreak: LiveBreak = { firstSlot: 103, plannedSlots: 5, endSlot: 108, slate: null }
const breakView = (over: Partial<LiveBreak> = {}) => aView(aLog([], [{ ...liveBreak, ...over }]))

test("a break of a live source is shown in every channel, at the channel's own time", () => {
  const channels = [
    aTimeline(aLiveRun({})),
    aTimeline(aLiveRun({ sequence: 70, firstSlot: 102, startSeconds: 1 })),
  ]

  assert.deepEqual(
    channels.map((channel) => breaksAt(channel, 32, 'ACTUAL', breakView())),
    [['3: 9.6-25.6, 16 planned, 16 reported'], ['71: 4.2-20.2, 16 planned, 16 reported']],
  )
})

test('a break of a live source is announced with the slot before it', () => {
  const channel = aTimeline(aLiveRun({}))

  assert.deepEqual(breaksAt(channel, 9.6 - TICK, 'ACTUAL', breakView()), [])
  assert.deepEqual(breaksAt(channel, 9.6, 'ACTUAL', breakView()), ['3: from 9.6, 16 planned'])
})

test('a break of a live source that was ended early has its actual length', () => {
  const channel = aTimeline(aLiveRun({}))

  assert.deepEqual(breaksAt(channel, 19.2, 'ACTUAL', breakView({ endSlot: 105 })), [
    '3: 9.6-16, 16 planned, 6.4 reported',
  ])
})

test('a channel that joins a source during a break has its own break with the remaining length', () => {
  const channel = aTimeline(
    aRun({}, plays('one', 5)),
    aLiveRun({ number: 2, sequence: 5, startSeconds: 16, firstSlot: 105 }),
  )

  assert.deepEqual(breaksAt(channel, 28.8, 'ACTUAL', breakView()), ['5: 16-25.6, 9.6 planned, 9.6 reported'])
})

test('a run that continues a source continues its break', () => {
  const channel = aTimeline(
    aLiveRun({}),
    aLiveRun({
      number: 2,
      sequence: 5,
      startSeconds: 16,
      firstSlot: 105,
      joinedSlot: 100,
      discontinuity: null,
    }),
  )

  for (const seconds of [9.6, 16, 19.2, 28.8, 57.6]) {
    assert.deepEqual(
      breaksAt(channel, seconds, 'ACTUAL', breakView()),
      breaksAt(aTimeline(aLiveRun({})), seconds, 'ACTUAL', breakView()),
    )
  }
})

test('a channel that leaves a source during a break ends the break', () => {
  const channel = aTimeline(
    aLiveRun({}),
    aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null }, plays('one', 9)),
  )

  assert.deepEqual(breaksAt(channel, 19.2, 'ACTUAL', breakView()), ['3: 9.6-16, 16 planned, 6.4 reported'])
})

test('breaks of a source before a channel joins it or after it leaves are not shown', () => {
  const channel = aTimeline(
    aLiveRun({ firstSlot: 100, segments: 3 }),
    aRun({ number: 2, sequence: 3, startSeconds: 9.6, discontinuity: null }, plays('one', 2)),
    aLiveRun({ number: 3, sequence: 5, startSeconds: 16, firstSlot: 108, discontinuity: null }),
  )

  assert.deepEqual(breaksAt(channel, 32, 'FULL_LENGTH', breakView()), [])
})
