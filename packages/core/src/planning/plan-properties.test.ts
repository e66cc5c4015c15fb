import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CUT_MARGIN_MS } from '../timeline/cut-margin.ts'
import { createLiveView } from '../timeline/discontinuity.ts'
import type { Timeline } from '../timeline/run.ts'
import { settledRuns, settleRun } from '../timeline/settle-run.ts'
import { anyHistory, type Change, historyView, playHistory } from '../timeline/testing/a-history.ts'
import { printAt, someOutputs } from '../timeline/testing/print-at.ts'
import { faultsOf } from '../timeline/timeline-faults.ts'

const RUNS = { numRuns: 40 }

test('a change is not visible before one cut margin has passed', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      for (const { atMs, before, after } of playHistory(steps)) {
        for (const sinceMs of [0, 1, 300, 700, 1_100, 1_300, CUT_MARGIN_MS - 1]) {
          assertSame(before, after, atMs + sinceMs)
        }
      }
    }),
    RUNS,
  )
})

test('no sequence of operations makes an invalid timeline', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      for (const { after } of playHistory(steps)) assert.deepEqual(faultsOf(after), [])
    }),
    RUNS,
  )
})

test('later changes do not affect the playlists of earlier times', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      const changes = playHistory(steps)
      const last = changes.at(-1)!.after

      for (const [index, { after }] of changes.entries()) {
        for (const atMs of timesFrom(changes, index)) assertSame(after, last, atMs)
      }
    }),
    RUNS,
  )
})

test('storing a discontinuity number as soon as it is settled changes no playlist', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      const changes = playHistory(steps)

      for (const [index, { after }] of changes.entries()) {
        for (const nowMs of timesFrom(changes, index)) {
          const settled = settledRuns({ timeline: after, live: historyView, nowMs }).reduce(settleRun, after)
          for (const laterMs of [0, 3_000, 9_000, 40_000]) assertSame(after, settled, nowMs + laterMs)
        }
      }
    }),
    RUNS,
  )
})

test('a node without cached counts gives the same playlists as a node with them', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      const changes = playHistory(steps)
      const cold = createLiveView(historyView.findLog)

      for (const [index, { after }] of changes.entries()) {
        for (const atMs of timesFrom(changes, index)) {
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

/** Some times between a change and the next. */
function timesFrom(changes: readonly Change[], index: number): readonly number[] {
  const { atMs } = changes[index]!
  const nextMs = changes[index + 1]?.atMs ?? atMs + 60_000
  return [0, 1_500, 5_000, 20_000, 50_000].map((sinceMs) => atMs + sinceMs).filter((ms) => ms < nextMs)
}

function assertSame(one: Timeline, other: Timeline, atMs: number): void {
  for (const output of someOutputs) {
    assert.equal(printAt(other, atMs, output, historyView), printAt(one, atMs, output, historyView))
  }
}
