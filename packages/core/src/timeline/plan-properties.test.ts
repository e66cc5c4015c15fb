import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createLiveView } from './discontinuity.ts'
import { GUARD_MS } from './guard.ts'
import type { Timeline } from './run.ts'
import { settledRuns, settleRun } from './settle-run.ts'
import { anyHistory, type Change, historyView, playHistory } from './testing/a-history.ts'
import { printAt, someOutputs } from './testing/print-at.ts'
import { faultsOf } from './timeline-faults.ts'

const RUNS = { numRuns: 40 }

test('a change is never seen before one guard has passed', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      for (const { atMs, before, after } of playHistory(steps)) {
        for (const sinceMs of [0, 1, 300, 700, 1_100, 1_300, GUARD_MS - 1]) {
          assertSame(before, after, atMs + sinceMs)
        }
      }
    }),
    RUNS,
  )
})

test('no timeline has a fault, whatever was ordered', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      for (const { after } of playHistory(steps)) assert.deepEqual(faultsOf(after), [])
    }),
    RUNS,
  )
})

test('what was shown at a time is what is told of it for ever', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      const changes = playHistory(steps)
      const last = changes.at(-1)!.after

      for (const [place, { after }] of changes.entries()) {
        for (const atMs of timesFrom(changes, place)) assertSame(after, last, atMs)
      }
    }),
    RUNS,
  )
})

test('a number that is written down as soon as it is sure changes no answer', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      const changes = playHistory(steps)

      for (const [place, { after }] of changes.entries()) {
        for (const nowMs of timesFrom(changes, place)) {
          const settled = settledRuns({ timeline: after, live: historyView, nowMs }).reduce(settleRun, after)
          for (const laterMs of [0, 3_000, 9_000, 40_000]) assertSame(after, settled, nowMs + laterMs)
        }
      }
    }),
    RUNS,
  )
})

test('a node that counts from the beginning answers as one that has counted before', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      const changes = playHistory(steps)
      const cold = createLiveView(historyView.findLog)

      for (const [place, { after }] of changes.entries()) {
        for (const atMs of timesFrom(changes, place)) {
          assert.equal(
            printAt(after, atMs, someOutputs[0], cold),
            printAt(after, atMs, someOutputs[0], historyView),
          )
        }
      }
    }),
    RUNS,
  )
})

/** Some times between an order and the next. */
function timesFrom(changes: readonly Change[], place: number): readonly number[] {
  const { atMs } = changes[place]!
  const nextMs = changes[place + 1]?.atMs ?? atMs + 60_000
  return [0, 1_500, 5_000, 20_000, 50_000].map((sinceMs) => atMs + sinceMs).filter((ms) => ms < nextMs)
}

function assertSame(one: Timeline, other: Timeline, atMs: number): void {
  for (const output of someOutputs) {
    assert.equal(printAt(other, atMs, output, historyView), printAt(one, atMs, output, historyView))
  }
}
