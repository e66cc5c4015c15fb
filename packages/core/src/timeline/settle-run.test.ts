import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN_MS } from '../schedule/testing/a-schedule.ts'
import { settledRuns, settleRun } from './settle-run.ts'
import { aLiveRun, aRun, plays } from './testing/a-run.ts'
import { aLog, aTimeline, aView, numberAt } from './testing/a-timeline.ts'

const live = aView(aLog([102]))

const timeline = aTimeline(
  aLiveRun({ segments: 5 }),
  aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null }, plays('one', 5)),
)

const settledAt = (seconds: number, of = timeline) =>
  settledRuns({ timeline: of, live, nowMs: ORIGIN_MS + seconds * 1_000 })

test('the number of a run after a live one is sure when the last slot before it is listed, and not earlier', () => {
  assert.deepEqual(settledAt(15.999), [])
  assert.deepEqual(settledAt(16), [{ firstSequence: 5, discontinuity: 3 }])
})

test('a number is not sure while one that it follows from is not', () => {
  const chained = aTimeline(
    aLiveRun({ segments: 5 }),
    aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null }, plays('one', 5)),
    aRun({ number: 3, sequence: 10, startSeconds: 32, discontinuity: null }, plays('two', 5)),
  )

  assert.deepEqual(settledAt(15.999, chained), [])
  assert.deepEqual(settledAt(16, chained), [
    { firstSequence: 5, discontinuity: 3 },
    { firstSequence: 10, discontinuity: 4 },
  ])
})

test('a number that is written down is not told again', () => {
  const settled = settleRun(timeline, { firstSequence: 5, discontinuity: 3 })

  assert.deepEqual(settledAt(16, settled), [])
})

test('a number that is written down is the answer, also when the live log is forgotten', () => {
  const settled = settleRun(timeline, { firstSequence: 5, discontinuity: 3 })

  assert.equal(numberAt(timeline, 19.2, live), 3)
  assert.equal(numberAt(settled, 19.2, live), 3)
  assert.equal(numberAt(settled, 19.2, aView()), 3)
})

test('a number for a run that is gone changes nothing', () => {
  assert.deepEqual(settleRun(timeline, { firstSequence: 4, discontinuity: 99 }), timeline)
})
