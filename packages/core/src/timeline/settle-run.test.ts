import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN_MS } from '../schedule/testing/a-schedule.ts'
import { noLive } from './discontinuity.ts'
import type { LiveLog } from './live-log.ts'
import { applyRun } from './run.ts'
import { settledRuns, settleRun } from './settle-run.ts'
import { aLiveRun, aRun, plays } from './testing/a-run.ts'
import { aLog, aTimeline, aView, numberAt } from './testing/a-timeline.ts'

const live = aView(aLog([102]))

const timeline = aTimeline(
  aLiveRun({ segments: 5 }),
  aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null }, plays('one', 5)),
)

const settledAt = (seconds: number, of = timeline, by = live) =>
  settledRuns({ timeline: of, live: by, nowMs: ORIGIN_MS + seconds * 1_000 })

test('the number of a run after a live run is settled when the last slot before it is listed, not earlier', () => {
  assert.deepEqual(settledAt(15.999), [])
  assert.deepEqual(settledAt(16), [{ number: 2, firstSequence: 5, discontinuity: 3 }])
})

test('a number is not settled while one that it depends on is not', () => {
  const chained = aTimeline(
    aLiveRun({ segments: 5 }),
    aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null }, plays('one', 5)),
    aRun({ number: 3, sequence: 10, startSeconds: 32, discontinuity: null }, plays('two', 5)),
  )

  assert.deepEqual(settledAt(15.999, chained), [])
  assert.deepEqual(settledAt(16, chained), [
    { number: 2, firstSequence: 5, discontinuity: 3 },
    { number: 3, firstSequence: 10, discontinuity: 4 },
  ])
})

test('a stored number is not returned again', () => {
  const settled = settleRun(timeline, { number: 2, firstSequence: 5, discontinuity: 3 })

  assert.deepEqual(settledAt(16, settled), [])
})

test('a stored number is used even after the live log is purged', () => {
  const settled = settleRun(timeline, { number: 2, firstSequence: 5, discontinuity: 3 })

  assert.equal(numberAt(timeline, 19.2, live), 3)
  assert.equal(numberAt(settled, 19.2, live), 3)
  assert.equal(numberAt(settled, 19.2, aView()), 3)
})

test('a number for a run that was removed changes nothing', () => {
  assert.deepEqual(settleRun(timeline, { number: 2, firstSequence: 4, discontinuity: 99 }), timeline)
})

test('a number for a run that was replaced at the same sequence number changes nothing', () => {
  const again = aRun({ number: 3, sequence: 5, startSeconds: 16, discontinuity: null }, plays('two', 5))
  const replaced = applyRun(timeline, again)

  assert.deepEqual(settleRun(replaced, { number: 2, firstSequence: 5, discontinuity: 3 }), replaced)
})

test('a number is not settled while slots that it depends on are unknown', () => {
  const knowing = (known: Partial<LiveLog>) => settledAt(99, timeline, aView({ ...aLog([102]), ...known }))

  assert.equal(knowing({ knownFrom: 100, knownUntil: 105 }).length, 1)
  assert.deepEqual(knowing({ knownFrom: 101 }), [])
  assert.deepEqual(knowing({ knownUntil: 104 }), [])
  assert.deepEqual(settledAt(99, timeline, noLive), [])
})

test('a number between two live runs is not settled until the first slot of the second is known', () => {
  const twice = aTimeline(
    aLiveRun({ segments: 5 }),
    aLiveRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null, firstSlot: 105 }),
  )
  const knowingUntil = (knownUntil: number) => settledAt(16, twice, aView({ ...aLog(), knownUntil }))

  assert.deepEqual(knowingUntil(105), [])
  assert.deepEqual(knowingUntil(106), [{ number: 2, firstSequence: 5, discontinuity: 0 }])
})

test('a number that depends on a missing run is never settled', () => {
  const rest = { ...timeline, runs: timeline.runs.slice(1) }

  assert.deepEqual(settledAt(99, rest), [])
})
