import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ticksOf } from '../time/ticks.ts'
import { skipAhead } from './skip-ahead.ts'
import { anyHistory, historyView, playHistory } from './testing/a-history.ts'
import { aRun, loops } from './testing/a-run.ts'
import { printAt, someOutputs } from './testing/print-at.ts'

test('skipped numbers are above all numbers that any history has used by that time', () => {
  fc.assert(
    fc.property(anyHistory, fc.integer({ min: 0, max: 200_000 }), (steps, waitMs) => {
      const played = playHistory(steps)
      const first = played[0]!.run
      const { atMs, after } = played.at(-1)!
      const ticks = ticksOf(atMs + waitMs)
      const text = printAt(after, atMs + waitMs, someOutputs[0], historyView)
      fc.pre(text !== undefined)
      const { sequence, discontinuity } = skipAhead(first, ticks)
      assert.ok(sequence >= numberIn(text, 'MEDIA-SEQUENCE') + countIn(text, /^#EXTINF/gm))
      assert.ok(
        discontinuity > numberIn(text, 'DISCONTINUITY-SEQUENCE') + countIn(text, /^#EXT-X-DISCONTINUITY$/gm),
      )
    }),
    { numRuns: 100 },
  )
})

const numberIn = (text: string, tag: string): number =>
  Number(new RegExp(`^#EXT-X-${tag}:(\\d+)$`, 'm').exec(text)![1])
const countIn = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

test('both numbers rise by one every 1.6 s, starting from the known run', () => {
  const run = aRun({ sequence: 1_000, startSeconds: 0, discontinuity: 40 }, loops('slate', 10))
  const at = (seconds: number) => run.startTicks + seconds * 90_000

  assert.deepEqual(skipAhead(run, at(160)), { sequence: 1_101, discontinuity: 141 })
  assert.deepEqual(skipAhead(run, at(160.1)), { sequence: 1_102, discontinuity: 142 })
  assert.deepEqual(skipAhead(run, at(-5)), { sequence: 1_001, discontinuity: 41 })
})

test('an unknown discontinuity number is bounded by the sequence number', () => {
  const run = aRun({ sequence: 1_000, startSeconds: 0, discontinuity: null }, loops('slate', 10))

  assert.deepEqual(skipAhead(run, run.startTicks + 16 * 90_000), { sequence: 1_011, discontinuity: 1_011 })
})
