import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitRun } from '../../planning/make-run.ts'
import { planStart } from '../../planning/plan.ts'
import type { ScheduledProgram } from '../../schedule/scheduled-program.ts'
import { aPod, aProgram, at, aVideo, ORIGIN_MS } from '../../schedule/testing/a-schedule.ts'
import { ticksOf } from '../../time/ticks.ts'
import { dropBefore, emptyTimeline, type Run, type Timeline } from '../run.ts'
import { settledRuns } from '../settle-run.ts'
import { anyHistory, historyView, playHistory } from '../testing/a-history.ts'
import { aLiveRun, aRun, breaksFor, loops, plays } from '../testing/a-run.ts'
import { aTimeline } from '../testing/a-timeline.ts'
import { aSchedule, onAirAt } from '../testing/control-room.ts'
import { printAt, someOutputs } from '../testing/print-at.ts'
import {
  applyPacked,
  dropPacked,
  emptyPacked,
  keptTicks,
  type PackedTimeline,
  packRun,
  settlePacked,
  unpackAround,
  unpackBetween,
} from './packed.ts'

const RUNS = { numRuns: 60 }
const packed = (...runs: readonly Run[]): PackedTimeline => runs.reduce(applyPacked, emptyPacked)
const unpackAll = (timeline: PackedTimeline) => unpackBetween(timeline, 0, Number.MAX_SAFE_INTEGER)

test('packing and unpacking loses only titles and references of components', () => {
  fc.assert(
    fc.property(anyHistory, (steps) => {
      let timeline = emptyPacked
      for (const { run, after } of playHistory(steps)) {
        timeline = applyPacked(timeline, run)
        assert.deepEqual(unpackAll(timeline), withoutTitles(after))
      }
    }),
    RUNS,
  )
})

test('the part unpacked around a time gives the same playlist as the whole timeline', () => {
  const anyWait = fc.integer({ min: 0, max: 200_000 })
  fc.assert(
    fc.property(anyHistory, anyWait, fc.constantFrom(...someOutputs), (steps, waitMs, output) => {
      let timeline = emptyPacked
      for (const { atMs, run, after } of playHistory(steps)) {
        timeline = applyPacked(timeline, run)
        const laterMs = atMs + waitMs
        const part = unpackAround(timeline, ticksOf(laterMs), ticksOf(output.windowMs), output.policy)
        assert.equal(
          printAt(part!, laterMs, output, historyView),
          printAt(after, laterMs, output, historyView),
        )
      }
    }),
    RUNS,
  )
})

test('storing a discontinuity number in a packed timeline changes no playlist', () => {
  fc.assert(
    fc.property(anyHistory, fc.integer({ min: 0, max: 100_000 }), (steps, waitMs) => {
      const changes = playHistory(steps)
      const { atMs, after } = changes.at(-1)!
      const nowMs = atMs + waitMs
      const numbers = settledRuns({ timeline: after, live: historyView, nowMs })
      const settled = numbers.reduce(settlePacked, packed(...changes.map(({ run }) => run)))

      for (const output of someOutputs) {
        const part = unpackAround(settled, ticksOf(nowMs), ticksOf(output.windowMs), output.policy)
        assert.equal(printAt(part!, nowMs, output, historyView), printAt(after, nowMs, output, historyView))
      }
    }),
    RUNS,
  )
})

test('a run that is known or older changes nothing', () => {
  const timeline = packed(aRun({ number: 2 }, plays('one', 5)))

  assert.equal(applyPacked(timeline, aRun({ number: 2, sequence: 1 }, plays('two', 1))), timeline)
  assert.equal(applyPacked(timeline, aRun({ number: 1, sequence: 1 }, plays('two', 1))), timeline)
})

test('only the runs of the requested time are unpacked', () => {
  const timeline = packed(
    aRun({}, plays('one', 10)),
    aRun({ number: 2, sequence: 10, startSeconds: 32, discontinuity: 1 }, plays('two', 10)),
    aRun({ number: 3, sequence: 20, startSeconds: 64, discontinuity: 2 }, plays('three', 10)),
  )

  assert.deepEqual(
    unpackBetween(timeline, at(40), at(50))?.runs.map(({ number }) => number),
    [2],
  )
  assert.deepEqual(
    unpackBetween(timeline, at(30), at(32))?.runs.map(({ number }) => number),
    [1, 2],
  )
})

test('runs that a discontinuity number depends on are unpacked too', () => {
  const runs = [
    aRun({}, plays('one', 10)),
    aLiveRun({ number: 2, sequence: 10, startSeconds: 32, discontinuity: 1, segments: 5 }),
    aRun({ number: 3, sequence: 15, startSeconds: 48, discontinuity: null }, plays('two', 5)),
    aRun({ number: 4, sequence: 20, startSeconds: 64, discontinuity: null }, plays('three', 5)),
  ]

  const part = unpackBetween(packed(...runs), at(65), at(70))

  assert.deepEqual(part, withoutTitles({ version: 4, runs: aTimeline(...runs).runs.slice(1) }))
})

test('a stored discontinuity number is unpacked with its run', () => {
  const open = aRun({ sequence: 5, startSeconds: 16, discontinuity: null }, plays('one', 5))

  const settled = settlePacked(packed(open), { number: 1, firstSequence: 5, discontinuity: 3 })

  assert.equal(unpackAll(settled)!.runs[0]!.discontinuity, 3)
})

test('a number for a run that was replaced at the same sequence number changes nothing', () => {
  const open = aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: null }, plays('one', 5))
  const timeline = packed(open)

  const settled = settlePacked(timeline, { number: 1, firstSequence: 5, discontinuity: 3 })

  assert.deepEqual(settled, timeline)
})

test('dropping from a packed timeline equals dropping from the timeline', () => {
  const anyWait = fc.integer({ min: -400_000, max: 100_000 })
  fc.assert(
    fc.property(anyHistory, anyWait, (steps, waitMs) => {
      const changes = playHistory(steps)
      const { atMs, after } = changes.at(-1)!
      const timeline = packed(...changes.map(({ run }) => run))

      const kept = dropPacked(timeline, ticksOf(atMs + waitMs))

      assert.deepEqual(unpackAll(kept), withoutTitles(dropBefore(after, ticksOf(atMs + waitMs))))
    }),
    RUNS,
  )
})

test('a node keeps enough for the longest window of an output with a shift of one day', () => {
  const output = { windowMs: 120_000, policy: 'FULL_LENGTH' } as const
  const runs = [
    aRun({}, plays('zero', 5)),
    aRun({ number: 2, sequence: 5, startSeconds: 16, discontinuity: 1 }, plays('one', 30), breaksFor(2_250)),
    aRun({ number: 3, sequence: 45, startSeconds: 128, discontinuity: 3 }, loops('slate', 9_999)),
  ]
  const shiftedMs = ORIGIN_MS + 3_828_000
  const nowTicks = ticksOf(shiftedMs + 86_400_000)

  const kept = dropPacked(packed(...runs), nowTicks - keptTicks(ticksOf(output.windowMs)))

  const numbers = kept.runs.map(({ number }) => number)
  const part = unpackAround(kept, ticksOf(shiftedMs), ticksOf(output.windowMs), output.policy)
  const text = printAt(part!, shiftedMs, output, historyView)
  assert.deepEqual(numbers, [2, 3])
  assert.match(text!, /ID="break-35"/)
  assert.equal(text, printAt(aTimeline(...runs), shiftedMs, output, historyView))
})

test('with FULL_LENGTH, a break that began long ago is unpacked too', () => {
  const runs = [
    aRun({}, plays('one', 5), breaksFor(300)),
    aRun({ number: 2, sequence: 8, startSeconds: 20.8, discontinuity: 2 }, plays('two', 99)),
  ]
  const part = unpackAround(packed(...runs), at(300), ticksOf(32_000), 'FULL_LENGTH')!

  const output = { windowMs: 32_000, policy: 'FULL_LENGTH' } as const
  const text = printAt(part, ORIGIN_MS + 300_000, output, historyView)
  assert.match(text!, /ID="break-5"/)
  assert.equal(text, printAt(aTimeline(...runs), ORIGIN_MS + 300_000, output, historyView))
})

test('a cut does not change the bytes, and the cut part is ignored', () => {
  const cut = aRun({ number: 2, sequence: 3, startSeconds: 9.6, discontinuity: 1 }, plays('two', 5))
  const whole = packed(aRun({}, plays('one', 10)))

  const timeline = applyPacked(whole, cut)

  assert.equal(timeline.runs[0]!.bytes, whole.runs[0]!.bytes)
  assert.equal(unpackAll(timeline)!.runs[0]!.spans[0]!.segments, 3)
})

test('corrupt bytes fail unpacking only where they are needed', () => {
  const timeline = packed(
    aRun({}, plays('one', 10)),
    aRun({ number: 2, sequence: 10, startSeconds: 32, discontinuity: 1 }, plays('two', 10)),
  )
  const [first, second] = timeline.runs
  const corrupt = { ...timeline, runs: [{ ...first!, bytes: first!.bytes.subarray(1) }, second!] }

  assert.equal(unpackBetween(corrupt, at(10), at(20)), undefined)
  assert.equal(unpackBetween(corrupt, at(40), at(50))?.runs.length, 1)
})

test('a day of a channel takes 20 kB at most', () => {
  const run = planStart(onAirAt(emptyTimeline, -1.5), aSchedule(86_400, ...aDay()))

  const sizes = splitRun(run).map((part) => packRun(part).bytes.length)

  assert.ok(run.spans.length > 250)
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 20_000)
})

const withoutTitles = ({ version, runs }: Timeline): Timeline => ({
  version,
  runs: runs.map((run) => ({
    ...run,
    spans: run.spans.map((span) => ({ ...span, airing: { ...span.airing, referenceId: null, title: '' } })),
  })),
})

/** Half-hour programs of three videos and two pods, each with a description. */
function aDay(): readonly ScheduledProgram[] {
  let ids = 0
  const nextId = (): string => {
    ids += 1
    return `0b1e3f8a-1111-4222-8333-${String(ids * 7_919).padStart(12, '0')}`
  }
  return Array.from({ length: 48 }, (_, half) => {
    const video = () => {
      const item = aVideo(`Part of the program ${half}`, 540)
      const path = `assets/0b1e3f8a-0000-4222-8333-444455556666/${nextId()}/${nextId()}`
      return { ...item, referenceId: nextId(), media: { ...item.media!, path } }
    }
    const items = [video(), aPod(60), video(), aPod(60), video()]
    const { program } = aProgram(half * 1_800, half * 1_800 + 1_800)
    const description = `Somebody goes somewhere, and it turns out otherwise than was thought: number ${half}`
    return { program: { ...program, id: nextId(), title: `The program ${half}`, description }, items }
  })
}
