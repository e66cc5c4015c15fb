import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../schedule/testing/a-schedule.ts'
import { applyRun, dropBefore, emptyTimeline, endSequenceOf, endTicksOf, isNext } from './run.ts'
import { aLiveRun, aRun, plays } from './testing/a-run.ts'
import { aTimeline, describeSpans, shownFrom } from './testing/a-timeline.ts'

const first = aRun({}, plays('one', 5), plays('two', 5))

test('a run replaces everything from its sequence number on', () => {
  const cut = aRun({ number: 2, sequence: 7, startSeconds: 22.4, discontinuity: 2 }, plays('three', 2))

  const timeline = aTimeline(first, cut)

  assert.deepEqual(timeline.runs.map(describeSpans), [['0.0 one 0+5', '16.0 two 0+2'], ['22.4 three 0+2']])
  assert.deepEqual(shownFrom(timeline, 6, 9), ['two/1', 'three/0', 'three/1'])
})

test('a span that begins at the start of the run is removed', () => {
  const cut = aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: 1 }, plays('three', 2))

  const timeline = aTimeline(first, cut)

  assert.deepEqual(timeline.runs.map(describeSpans), [['0.0 one 0+5'], ['16.0 three 0+2']])
})

test('a run with nothing left is removed, and its number is not used again', () => {
  const replaced = aRun({ number: 2 }, plays('three', 2))

  const timeline = aTimeline(first, replaced)

  assert.deepEqual(timeline, { version: 2, runs: [replaced] })
})

test('applying a cut does not modify the earlier run', () => {
  const before = JSON.stringify(first)

  aTimeline(first, aRun({ number: 2, sequence: 3, startSeconds: 9.6 }, plays('three', 2)))

  assert.equal(JSON.stringify(first), before)
})

test('a run that is known or older changes nothing', () => {
  const timeline = aTimeline(first, aRun({ number: 5, sequence: 7, startSeconds: 22.4 }, plays('three', 2)))

  assert.equal(applyRun(timeline, aRun({ number: 5, sequence: 1 }, plays('four', 1))), timeline)
  assert.equal(applyRun(timeline, aRun({ number: 4, sequence: 1 }, plays('four', 1))), timeline)
})

test('an empty run with isEnd takes the channel off the air', () => {
  const timeline = aTimeline(first, aRun({ number: 2, sequence: 7, startSeconds: 22.4, isEnd: true }))

  assert.equal(timeline.version, 2)
  assert.deepEqual(timeline.runs.map(describeSpans), [['0.0 one 0+5', '16.0 two 0+2']])
  assert.equal(timeline.runs[0]!.isEnd, true)
})

test('a channel with no runs left has no end either', () => {
  const timeline = aTimeline(first, aRun({ number: 2, isEnd: true }))

  assert.deepEqual(timeline, { version: 2, runs: [] })
})

test('a start after an end keeps the end', () => {
  const stopped = aTimeline(first, aRun({ number: 2, sequence: 7, startSeconds: 22.4, isEnd: true }))

  const timeline = applyRun(
    stopped,
    aRun({ number: 3, sequence: 7, startSeconds: 99, shownFromSeconds: 131 }, plays('three', 5)),
  )

  assert.deepEqual(
    timeline.runs.map(({ isEnd }) => isEnd),
    [true, false],
  )
})

test('a run at the end of a run with isEnd revokes the end', () => {
  const stopped = aTimeline(first, aRun({ number: 2, sequence: 7, startSeconds: 22.4, isEnd: true }))

  const timeline = applyRun(stopped, aRun({ number: 3, sequence: 7, startSeconds: 22.4 }, plays('three', 5)))

  assert.deepEqual(
    timeline.runs.map(({ isEnd }) => isEnd),
    [false, false],
  )
})

test('a run in the middle of a run with isEnd removes the end', () => {
  const stopped = aTimeline(first, aRun({ number: 2, sequence: 7, startSeconds: 22.4, isEnd: true }))

  const timeline = applyRun(stopped, aRun({ number: 3, sequence: 6, startSeconds: 19.2 }, plays('three', 5)))

  assert.equal(timeline.runs[0]!.isEnd, false)
})

test('a later run does not change an end before the runs it replaces', () => {
  const timeline = aTimeline(
    aRun({ isEnd: true }, plays('one', 5)),
    aRun({ number: 2, sequence: 5, startSeconds: 99, shownFromSeconds: 131 }, plays('two', 5)),
    aRun({ number: 3, sequence: 8, startSeconds: 108.6 }, plays('three', 5)),
  )

  assert.deepEqual(
    timeline.runs.map(({ isEnd }) => isEnd),
    [true, false, false],
  )
})

test('a run ends after its last span, and an empty run at its start', () => {
  const empty = aRun({ sequence: 9, startSeconds: 28.8, isEnd: true })

  assert.deepEqual([endSequenceOf(first), endTicksOf(first)], [10, at(32)])
  assert.deepEqual([endSequenceOf(empty), endTicksOf(empty)], [9, at(28.8)])
})

test('runs that ended before a time are dropped, and runs that end later are kept complete', () => {
  const second = aRun({ number: 2, sequence: 10, startSeconds: 32 }, plays('three', 10))
  const timeline = aTimeline(first, second)

  assert.deepEqual(dropBefore(timeline, at(32) - 1), timeline)
  assert.deepEqual(dropBefore(timeline, at(32)), { version: 2, runs: [second] })
})

test('the last run is never dropped: the next numbers follow from it', () => {
  const timeline = aTimeline({ ...first, isEnd: true })

  assert.deepEqual(dropBefore(timeline, at(99_999)), timeline)
  assert.deepEqual(dropBefore(emptyTimeline, at(99_999)), emptyTimeline)
})

test('runs that a discontinuity number depends on are kept until the number is stored', () => {
  const live = aLiveRun({ number: 2, sequence: 10, startSeconds: 32, discontinuity: 2, segments: 5 })
  const after = [
    aRun({ number: 3, sequence: 15, startSeconds: 48, discontinuity: null }, plays('three', 5)),
    aRun({ number: 4, sequence: 20, startSeconds: 64, discontinuity: null }, plays('four', 5)),
  ]
  const settled = { ...after[1]!, discontinuity: 9 }

  assert.deepEqual(dropBefore(aTimeline(first, live, ...after), at(99)).runs, [live, ...after])
  assert.deepEqual(dropBefore(aTimeline(first, live, after[0]!, settled), at(99)).runs, [settled])
})

test('a run is the next one if no run is missing before it', () => {
  const timeline = aTimeline(first)

  assert.deepEqual(
    [1, 2, 3].map((number) => isNext(timeline, { number })),
    [false, true, false],
  )
})
