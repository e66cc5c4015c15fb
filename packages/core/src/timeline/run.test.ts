import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../schedule/testing/a-schedule.ts'
import { applyRun, emptyTimeline, endSequenceOf, endTicksOf, forgetBefore, isNext } from './run.ts'
import { aLiveRun, aRun, plays } from './testing/a-run.ts'
import { aTimeline, shownFrom, toldSpans } from './testing/a-timeline.ts'

const first = aRun({}, plays('one', 5), plays('two', 5))

test('a run takes the place of everything from its sequence number on', () => {
  const cut = aRun({ number: 2, sequence: 7, startSeconds: 22.4, discontinuity: 2 }, plays('three', 2))

  const timeline = aTimeline(first, cut)

  assert.deepEqual(timeline.runs.map(toldSpans), [['0.0 one 0+5', '16.0 two 0+2'], ['22.4 three 0+2']])
  assert.deepEqual(shownFrom(timeline, 6, 9), ['two/1', 'three/0', 'three/1'])
})

test('a span that begins where the run does is gone', () => {
  const cut = aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: 1 }, plays('three', 2))

  const timeline = aTimeline(first, cut)

  assert.deepEqual(timeline.runs.map(toldSpans), [['0.0 one 0+5'], ['16.0 three 0+2']])
})

test('a run of which nothing is left is gone, and no number of a run comes again', () => {
  const replaced = aRun({ number: 2 }, plays('three', 2))

  const timeline = aTimeline(first, replaced)

  assert.deepEqual(timeline, { version: 2, runs: [replaced] })
})

test('a run that was cut and applied stays as it was written', () => {
  const before = JSON.stringify(first)

  aTimeline(first, aRun({ number: 2, sequence: 3, startSeconds: 9.6 }, plays('three', 2)))

  assert.equal(JSON.stringify(first), before)
})

test('a run that is known or older changes nothing', () => {
  const timeline = aTimeline(first, aRun({ number: 5, sequence: 7, startSeconds: 22.4 }, plays('three', 2)))

  assert.equal(applyRun(timeline, aRun({ number: 5, sequence: 1 }, plays('four', 1))), timeline)
  assert.equal(applyRun(timeline, aRun({ number: 4, sequence: 1 }, plays('four', 1))), timeline)
})

test('an empty run that ends takes the channel off the air there', () => {
  const timeline = aTimeline(first, aRun({ number: 2, sequence: 7, startSeconds: 22.4, isEnd: true }))

  assert.equal(timeline.version, 2)
  assert.deepEqual(timeline.runs.map(toldSpans), [['0.0 one 0+5', '16.0 two 0+2']])
  assert.equal(timeline.runs[0]!.isEnd, true)
})

test('a channel of which nothing is left has no end either', () => {
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

test('a run at the end of one that ended takes the end back', () => {
  const stopped = aTimeline(first, aRun({ number: 2, sequence: 7, startSeconds: 22.4, isEnd: true }))

  const timeline = applyRun(stopped, aRun({ number: 3, sequence: 7, startSeconds: 22.4 }, plays('three', 5)))

  assert.deepEqual(
    timeline.runs.map(({ isEnd }) => isEnd),
    [false, false],
  )
})

test('a run in the middle of one that ended takes the end away with the rest', () => {
  const stopped = aTimeline(first, aRun({ number: 2, sequence: 7, startSeconds: 22.4, isEnd: true }))

  const timeline = applyRun(stopped, aRun({ number: 3, sequence: 6, startSeconds: 19.2 }, plays('three', 5)))

  assert.equal(timeline.runs[0]!.isEnd, false)
})

test('an end that lies before others is not touched by a run behind them', () => {
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

test('a run ends behind its last span, and an empty one where it begins', () => {
  const empty = aRun({ sequence: 9, startSeconds: 28.8, isEnd: true })

  assert.deepEqual([endSequenceOf(first), endTicksOf(first)], [10, at(32)])
  assert.deepEqual([endSequenceOf(empty), endTicksOf(empty)], [9, at(28.8)])
})

test('what ended by a time is forgotten, and what ends after it is kept whole', () => {
  const second = aRun({ number: 2, sequence: 10, startSeconds: 32 }, plays('three', 10))
  const timeline = aTimeline(first, second)

  assert.deepEqual(forgetBefore(timeline, at(32) - 1), timeline)
  assert.deepEqual(forgetBefore(timeline, at(32)), { version: 2, runs: [second] })
})

test('the last run is never forgotten: the next numbers follow from it', () => {
  const timeline = aTimeline({ ...first, isEnd: true })

  assert.deepEqual(forgetBefore(timeline, at(99_999)), timeline)
  assert.deepEqual(forgetBefore(emptyTimeline, at(99_999)), emptyTimeline)
})

test('what a number follows from is kept until the number is written down', () => {
  const live = aLiveRun({ number: 2, sequence: 10, startSeconds: 32, discontinuity: 2, segments: 5 })
  const after = [
    aRun({ number: 3, sequence: 15, startSeconds: 48, discontinuity: null }, plays('three', 5)),
    aRun({ number: 4, sequence: 20, startSeconds: 64, discontinuity: null }, plays('four', 5)),
  ]
  const settled = { ...after[1]!, discontinuity: 9 }

  assert.deepEqual(forgetBefore(aTimeline(first, live, ...after), at(99)).runs, [live, ...after])
  assert.deepEqual(forgetBefore(aTimeline(first, live, after[0]!, settled), at(99)).runs, [settled])
})

test('a run is the next where none is missing before it', () => {
  const timeline = aTimeline(first)

  assert.deepEqual(
    [1, 2, 3].map((number) => isNext(timeline, { number })),
    [false, true, false],
  )
})
