import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TICKS_PER_MS } from '../media/house-format.ts'
import { at, ORIGIN_MS } from '../schedule/testing/a-schedule.ts'
import { msOf, ticksOf } from '../time/ticks.ts'
import { nextChangeTicks } from './next-change.ts'
import { emptyTimeline, type Timeline } from './run.ts'
import { anyHistory, historyView, playHistory } from './testing/a-history.ts'
import { aLiveRun, aRun, plays } from './testing/a-run.ts'
import { aTimeline } from './testing/a-timeline.ts'
import { type Output, printAt, someOutputs } from './testing/print-at.ts'

const RUNS = { numRuns: 60 }
const anyWait = fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 400_000 }))
const anyOutput = fc.constantFrom<Output>(...someOutputs)

test('until the next change, every playlist stays the same', () => {
  fc.assert(
    fc.property(anyHistory, anyWait, anyOutput, fc.double({ min: 0, max: 1, noNaN: true }), (...drawn) => {
      const [steps, waitMs, output, share] = drawn
      for (const { atMs, after } of playHistory(steps)) {
        const nowMs = atMs + waitMs
        const lastMs = Math.min(lastBefore(nextChangeTicks(after, ticksOf(nowMs))), nowMs + 100_000)
        const text = printAt(after, nowMs, output, historyView)

        for (const laterMs of [nowMs + Math.floor((lastMs - nowMs) * share), lastMs]) {
          assert.equal(printAt(after, laterMs, output, historyView), text)
        }
      }
    }),
    RUNS,
  )
})

test('at the next change, every playlist differs', () => {
  fc.assert(
    fc.property(anyHistory, anyWait, anyOutput, (steps, waitMs, output) => {
      for (const { atMs, after } of playHistory(steps)) {
        const nowMs = atMs + waitMs
        const nextTicks = nextChangeTicks(after, ticksOf(nowMs))
        if (nextTicks === Number.POSITIVE_INFINITY) continue

        const texts = [nowMs, firstFrom(nextTicks)].map((ms) => printAt(after, ms, output, historyView))

        assert.ok(nextTicks > ticksOf(nowMs))
        assert.notEqual(texts[1], texts[0])
      }
    }),
    RUNS,
  )
})

test('a channel that is off has no change before its start, and none after its end', () => {
  const start = aRun({ startSeconds: -32, shownFromSeconds: 5, isEnd: true }, plays('one', 20))

  assert.equal(nextChangeTicks(emptyTimeline, at(0)), Number.POSITIVE_INFINITY)
  assert.deepEqual(changesOf(aTimeline(start), 0, 6), [5, 6.4, 9.6, 12.8, 16, 19.2])
  assert.deepEqual(changesOf(aTimeline(start), 28.8, 4), [32, 33.5, 92, Number.POSITIVE_INFINITY])
})

test('a channel that restarts while its last playlist is served changes at its start', () => {
  const timeline = aTimeline(
    aRun({ shownFromSeconds: 0, isEnd: true }, plays('one', 5)),
    aRun(
      { number: 2, sequence: 5, startSeconds: 20, discontinuity: 1, shownFromSeconds: 30 },
      plays('two', 5),
    ),
  )

  assert.deepEqual(changesOf(timeline, 12.8, 5), [16, 17.5, 30, 32.8, 36])
})

test('at the end of the committed timeline, the next change is unknown', () => {
  const timeline = aTimeline(aRun({}, plays('one', 5)))

  assert.equal(nextChangeTicks(timeline, at(16)), Number.POSITIVE_INFINITY)
})

test('a channel that starts with nothing to list changes at the end of its first segment', () => {
  const timeline = aTimeline(aRun({ startSeconds: 5, shownFromSeconds: 5 }, plays('one', 5)))

  assert.deepEqual(changesOf(timeline, 0, 2), [8.2, 11.4])
  assert.deepEqual(changesOf(timeline, 6, 1), [8.2])
})

test('a live channel changes with every slot', () => {
  assert.deepEqual(changesOf(aTimeline(aLiveRun({})), 0, 3), [3.2, 6.4, 9.6])
})

/** This many changes one after the other, in seconds. */
function changesOf(timeline: Timeline, fromSeconds: number, count: number): readonly number[] {
  let ticks = at(fromSeconds)
  return Array.from({ length: count }, () => {
    ticks = nextChangeTicks(timeline, ticks)
    return (ticks - ticksOf(ORIGIN_MS)) / 90_000
  })
}

const lastBefore = (ticks: number): number => (ticks === Number.POSITIVE_INFINITY ? ticks : msOf(ticks - 1))

const firstFrom = (ticks: number): number => Math.ceil(ticks / TICKS_PER_MS)
