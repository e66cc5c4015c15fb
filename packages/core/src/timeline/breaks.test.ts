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

/** The breaks that a window of 32 s shows, in seconds. The end is told of one that is over. */
function breaksAt(
  timeline: Timeline,
  seconds: number,
  policy: BreakPolicy = 'ACTUAL',
  live: LiveView = noLive,
): readonly string[] {
  const window = windowAt(timeline, at(seconds), ticks(32), live)!
  return breaksIn(timeline, window, policy, live).map(tell)
}

function tell({ sequence, startTicks, endTicks, plannedTicks, toldTicks, isOver }: ShownBreak): string {
  const [start, end] = [startTicks - at(0), endTicks - at(0)].map((count) => count / 90_000)
  const planned = `${plannedTicks / 90_000} planned`
  if (!isOver) return `${sequence}: from ${start}, ${planned}`
  return `${sequence}: ${start}-${end}, ${planned}, ${toldTicks / 90_000} told`
}

const first = aRun({}, plays('one', 5), breaksFor(10), plays('two', 30))
const timeline = aTimeline(first)

test('a break is announced with the segment before it', () => {
  assert.deepEqual(breaksAt(timeline, 16 - TICK), [])
  assert.deepEqual(breaksAt(timeline, 16), ['5: from 16, 16 planned'])
})

test('the end of a break is told with the first segment after it', () => {
  assert.deepEqual(breaksAt(timeline, 35.2 - TICK), ['5: from 16, 16 planned'])
  assert.deepEqual(breaksAt(timeline, 35.2), ['5: 16-32, 16 planned, 16 told'])
})

test('a break is shown for as long as the first segment after it', () => {
  assert.deepEqual(breaksAt(timeline, 64), ['5: 16-32, 16 planned, 16 told'])
  assert.deepEqual(breaksAt(timeline, 67.2), [])
})

test('a break that is longer than the window is known to the end', () => {
  const long = aTimeline(aRun({}, plays('one', 5), breaksFor(60), plays('two', 30)))

  assert.deepEqual(breaksAt(long, 110), ['5: from 16, 96 planned'])
})

test('a break that is in several spans is one', () => {
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

test('a break that is cut short ends where it was cut, with the length that it had', () => {
  const cut = aRun({ number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 }, plays('three', 30))

  assert.deepEqual(breaksAt(aTimeline(first, cut), 24 - TICK), ['5: from 16, 16 planned'])
  assert.deepEqual(breaksAt(aTimeline(first, cut), 24), ['5: 16-20.8, 16 planned, 4.8 told'])
})

test('by FULL_LENGTH a break that is cut short ends at the first boundary after what was planned', () => {
  const cut = aRun({ number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 }, plays('three', 30))
  const fullAt = (seconds: number) => breaksAt(aTimeline(first, cut), seconds, 'FULL_LENGTH')

  assert.deepEqual(fullAt(24), ['5: from 16, 16 planned'])
  assert.deepEqual(fullAt(36.8 - TICK), ['5: from 16, 16 planned'])
  assert.deepEqual(fullAt(36.8), ['5: 16-33.6, 16 planned, 16 told'])
})

test('by FULL_LENGTH a break goes on for as long as it was planned, though nothing of it is listed any more', () => {
  const long = aRun({}, plays('one', 5), breaksFor(60))
  const cut = aRun({ number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 }, plays('two', 90))

  assert.deepEqual(breaksAt(aTimeline(long, cut), 70, 'FULL_LENGTH'), ['5: from 16, 96 planned'])
  assert.deepEqual(breaksAt(aTimeline(long, cut), 70, 'ACTUAL'), [])
})

test('by FULL_LENGTH a break of more than an hour ends where it is cut: nobody looks back for so long', () => {
  const long = aRun({}, plays('one', 5), breaksFor(2_300))
  const cut = aRun({ number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 }, plays('two', 90))

  assert.deepEqual(breaksAt(aTimeline(long, cut), 24, 'FULL_LENGTH'), ['5: 16-20.8, 3680 planned, 4.8 told'])
})

test('by FULL_LENGTH a break that was not cut is as ever', () => {
  for (const seconds of [16, 32, 35.2, 64, 67.2]) {
    assert.deepEqual(breaksAt(timeline, seconds, 'FULL_LENGTH'), breaksAt(timeline, seconds))
  }
})

test('no two breaks are shown at once: another one ends what FULL_LENGTH would go on with', () => {
  const cut = aRun(
    { number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 },
    plays('three', 1),
    breaksFor(10),
    plays('four', 30),
  )

  assert.deepEqual(breaksAt(aTimeline(first, cut), 27.2, 'FULL_LENGTH'), [
    '5: 16-24, 16 planned, 8 told',
    '9: from 24, 16 planned',
  ])
})

test('breaks that follow one another are two', () => {
  const two = aTimeline(aRun({}, plays('one', 5), breaksFor(5), breaksFor(5), plays('two', 30)))

  assert.deepEqual(breaksAt(two, 35.2), ['5: 16-24, 8 planned, 8 told', '10: 24-32, 8 planned, 8 told'])
})

test('the end of a break is told when a channel that ends with it is marked as ended', () => {
  const ended = aTimeline(aRun({ isEnd: true }, plays('one', 5), breaksFor(10)))

  assert.deepEqual(breaksAt(ended, 33.5 - TICK), ['5: from 16, 16 planned'])
  assert.deepEqual(breaksAt(ended, 33.5), ['5: 16-32, 16 planned, 16 told'])
})

test('nothing is marked from before a restart', () => {
  const restarted = aTimeline(
    aRun({ isEnd: true }, plays('one', 5), { ...breaksFor(10), segments: 3 }),
    aRun({ number: 2, sequence: 8, startSeconds: 21, shownFromSeconds: 24.2 }, plays('two', 30)),
  )

  assert.deepEqual(breaksAt(restarted, 27.4, 'FULL_LENGTH'), [])
})

const liveBreak: LiveBreak = { firstSlot: 103, plannedSlots: 5, endSlot: 108, slate: null }
const breakView = (over: Partial<LiveBreak> = {}) => aView(aLog([], [{ ...liveBreak, ...over }]))

test('a break of a live source is shown in all channels, each at its own place', () => {
  const channels = [
    aTimeline(aLiveRun({})),
    aTimeline(aLiveRun({ sequence: 70, firstSlot: 102, startSeconds: 1 })),
  ]

  assert.deepEqual(
    channels.map((channel) => breaksAt(channel, 32, 'ACTUAL', breakView())),
    [['3: 9.6-25.6, 16 planned, 16 told'], ['71: 4.2-20.2, 16 planned, 16 told']],
  )
})

test('a break of a live source is announced with the slot before it', () => {
  const channel = aTimeline(aLiveRun({}))

  assert.deepEqual(breaksAt(channel, 9.6 - TICK, 'ACTUAL', breakView()), [])
  assert.deepEqual(breaksAt(channel, 9.6, 'ACTUAL', breakView()), ['3: from 9.6, 16 planned'])
})

test('a break of a live source that was ended early has the length that it had', () => {
  const channel = aTimeline(aLiveRun({}))

  assert.deepEqual(breaksAt(channel, 19.2, 'ACTUAL', breakView({ endSlot: 105 })), [
    '3: 9.6-16, 16 planned, 6.4 told',
  ])
})

test('a channel that comes to a source in mid-break has a break of its own, with what remains', () => {
  const channel = aTimeline(
    aRun({}, plays('one', 5)),
    aLiveRun({ number: 2, sequence: 5, startSeconds: 16, firstSlot: 105 }),
  )

  assert.deepEqual(breaksAt(channel, 28.8, 'ACTUAL', breakView()), ['5: 16-25.6, 9.6 planned, 9.6 told'])
})

test('a run that goes on with a source goes on with its break', () => {
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

test('a channel that leaves a source in mid-break ends the break', () => {
  const channel = aTimeline(
    aLiveRun({}),
    aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null }, plays('one', 9)),
  )

  assert.deepEqual(breaksAt(channel, 19.2, 'ACTUAL', breakView()), ['3: 9.6-16, 16 planned, 6.4 told'])
})

test('what a source marks before a channel comes to it or after it has left is not shown', () => {
  const channel = aTimeline(
    aLiveRun({ firstSlot: 100, segments: 3 }),
    aRun({ number: 2, sequence: 3, startSeconds: 9.6, discontinuity: null }, plays('one', 2)),
    aLiveRun({ number: 3, sequence: 5, startSeconds: 16, firstSlot: 108, discontinuity: null }),
  )

  assert.deepEqual(breaksAt(channel, 32, 'FULL_LENGTH', breakView()), [])
})
