import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aMedia, at, ticks } from '../schedule/testing/a-schedule.ts'
import { noLive } from './discontinuity.ts'
import { aLiveRun, aRun, loops, plays, playsAll } from './testing/a-run.ts'
import { aTimeline, aView, listedAt } from './testing/a-timeline.ts'
import { publishedUntil, windowAt } from './window.ts'

const TICK = 1 / 90_000

const timeline = aTimeline(aRun({}, plays('one', 5), plays('two', 20)))

test('a segment is listed from its end on, to the tick', () => {
  assert.deepEqual(listedAt(timeline, 6.4 - TICK), ['one/0'])
  assert.deepEqual(listedAt(timeline, 6.4), ['one/0', 'one/1'])
})

test('there is no window before the first segment has ended', () => {
  assert.equal(listedAt(timeline, 3.2 - TICK), undefined)
  assert.deepEqual(listedAt(timeline, 3.2), ['one/0'])
})

test('a last segment with a tail is listed when the tail has ended', () => {
  const tailed = aTimeline(aRun({}, playsAll(aMedia('one', 10)), plays('two', 5)))

  assert.deepEqual(listedAt(tailed, 10 - TICK), ['one/0', 'one/1'])
  assert.deepEqual(listedAt(tailed, 10), ['one/0', 'one/1', 'one/2'])
})

test('a live slot is listed like any other segment', () => {
  const live = aTimeline(aLiveRun({}))

  assert.deepEqual(listedAt(live, 6.4 - TICK, 32, aView()), ['live/north/100'])
  assert.deepEqual(listedAt(live, 6.4, 32, aView()), ['live/north/100', 'live/north/101'])
})

test('the window is the smallest number of last segments that fill its length', () => {
  assert.deepEqual(listedAt(timeline, 32, 9.6), ['two/2', 'two/3', 'two/4'])
  assert.deepEqual(listedAt(timeline, 32, 9.6 + TICK), ['two/1', 'two/2', 'two/3', 'two/4'])
})

test('a window covers as many spans and runs as needed', () => {
  const cut = aRun({ number: 2, sequence: 6, startSeconds: 19.2, discontinuity: 2 }, plays('three', 9))
  const later = aTimeline(...timeline.runs, cut)

  const window = windowAt(later, at(22.4), ticks(9.6), noLive)!

  assert.deepEqual(
    window.parts.map(({ from, to, discontinuity }) => [from, to, discontinuity]),
    [
      [4, 5, 0],
      [0, 1, 1],
      [0, 1, 2],
    ],
  )
  assert.deepEqual(listedAt(later, 22.4, 9.6), ['one/4', 'two/0', 'three/0'])
})

test('a window has its start and end, and the numbers of its first segment', () => {
  const window = windowAt(timeline, at(24), ticks(6.4), noLive)!

  assert.deepEqual(
    [window.firstSequence, window.discontinuity, window.startTicks, window.endTicks, window.isEnded],
    [5, 1, at(16), at(22.4), false],
  )
})

test('a channel is shown with its pre-roll slate from its start on, not before', () => {
  const started = aTimeline(aRun({ shownFromSeconds: 16 }, loops('rescue', 10), plays('one', 9)))

  assert.equal(listedAt(started, 16 - TICK), undefined)
  assert.equal(listedAt(started, 16)?.length, 10)
})

test('a window does not extend before the start of a channel', () => {
  const restarted = aTimeline(
    aRun({ isEnd: true }, plays('one', 5)),
    aRun({ number: 2, sequence: 5, startSeconds: 16, shownFromSeconds: 20 }, plays('two', 9)),
  )

  assert.deepEqual(listedAt(restarted, 22.4), ['two/0', 'two/1'])
})

test('a restart is not visible before its time; until then, the previous end is', () => {
  const restarted = aTimeline(
    aRun({ isEnd: true }, plays('one', 2)),
    aRun({ number: 2, sequence: 2, startSeconds: 10, shownFromSeconds: 20 }, plays('two', 9)),
  )

  assert.deepEqual(listedAt(restarted, 20 - TICK), ['one/0', 'one/1'])
  assert.deepEqual(listedAt(restarted, 20), ['two/0', 'two/1', 'two/2'])
})

test('the last window is marked as ended when every node has received a possible revocation, and is gone a minute after the end', () => {
  const ended = aTimeline(aRun({ isEnd: true }, plays('one', 5)))
  const isEndedAt = (seconds: number) => windowAt(ended, at(seconds), ticks(32), noLive)?.isEnded

  assert.equal(isEndedAt(16), false)
  assert.equal(isEndedAt(17.5 - TICK), false)
  assert.equal(isEndedAt(17.5), true)
  assert.equal(isEndedAt(76 - TICK), true)
  assert.equal(isEndedAt(76), undefined)
})

test('the last window does not change', () => {
  const ended = aTimeline(aRun({ isEnd: true }, plays('one', 5)))

  assert.deepEqual(windowAt(ended, at(75), ticks(9.6), noLive), windowAt(ended, at(17.5), ticks(9.6), noLive))
})

test('a window at an earlier time does not depend on later runs', () => {
  const cut = aRun({ number: 2, sequence: 9, startSeconds: 28.8, discontinuity: 2 }, plays('three', 9))
  const later = aTimeline(...timeline.runs, cut)

  for (const seconds of [3.2, 15, 22.4, 28.8, 31.9]) {
    assert.deepEqual(listedAt(later, seconds), listedAt(timeline, seconds))
  }
  assert.notDeepEqual(listedAt(later, 32), listedAt(timeline, 32))
})

test('publishedUntil advances when a segment ends', () => {
  assert.equal(publishedUntil(timeline, at(3.2) - 1), undefined)
  assert.equal(publishedUntil(timeline, at(16) - 1), 4)
  assert.equal(publishedUntil(timeline, at(16)), 5)
})
