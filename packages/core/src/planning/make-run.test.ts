import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LiveLog } from '../timeline/live-log.ts'
import { applyRun, emptyTimeline } from '../timeline/run.ts'
import { anyHistory, historyView, playHistory } from '../timeline/testing/a-history.ts'
import { aLiveRun, aRun, loops, plays } from '../timeline/testing/a-run.ts'
import { aLog, aTimeline, aView } from '../timeline/testing/a-timeline.ts'
import { onAirAt } from '../timeline/testing/control-room.ts'
import { printAt, someOutputs } from '../timeline/testing/print-at.ts'
import { faultsOf } from '../timeline/timeline-faults.ts'
import { makeRun, nextSequence, splitRun } from './make-run.ts'

const timeline = aTimeline(
  aRun({ number: 4, sequence: 3, discontinuity: 7 }, plays('one', 5), loops('slate', 25)),
)
const boundary = (sequence: number) => ({ sequence, startTicks: 0 })
const spansOf = (sequence: number, name: string, first = 0) => aRun({ sequence }, plays(name, 3, first)).spans

test('a run that takes over has the next number and continues the discontinuity numbers', () => {
  const run = makeRun(onAirAt(timeline, 0), boundary(20), spansOf(20, 'two'))

  assert.equal(run.number, 5)
  // One at the slate, one where its loop restarts, and one at the new run.
  assert.equal(run.discontinuity, 7 + 1 + 1 + 1)
})

test('a run that continues the media that was shown begins without a discontinuity', () => {
  assert.equal(makeRun(onAirAt(timeline, 0), boundary(6), spansOf(6, 'one', 3)).discontinuity, 7)
  assert.equal(makeRun(onAirAt(timeline, 0), boundary(6), spansOf(6, 'one', 4)).discontinuity, 8)
})

test('after a live span, the number stays open until the last slot before the run is listed', () => {
  const live = aTimeline(aLiveRun({}))
  const numberAt = (seconds: number) =>
    makeRun(onAirAt(live, seconds, aView()), boundary(5), spansOf(5, 'one')).discontinuity

  assert.equal(numberAt(15.999), null)
  assert.equal(numberAt(16), 1)
})

test('after a live span, the number stays open for a planner that lacks part of the live log', () => {
  const live = aTimeline(aLiveRun({}))
  const numberWith = (known: Partial<LiveLog>) =>
    makeRun(onAirAt(live, 99, aView({ ...aLog(), ...known })), boundary(5), spansOf(5, 'one')).discontinuity

  assert.equal(numberWith({ knownFrom: 100, knownUntil: 105 }), 1)
  assert.equal(numberWith({ knownFrom: 101 }), null)
  assert.equal(numberWith({ knownUntil: 104 }), null)
})

test('between two live spans, the number stays open until the first slot of the second is known', () => {
  const live = aTimeline(aLiveRun({}))
  const { spans } = aLiveRun({ sequence: 5, firstSlot: 105 })
  const numberWith = (knownUntil: number) =>
    makeRun(onAirAt(live, 16, aView({ ...aLog(), knownUntil })), boundary(5), spans).discontinuity

  assert.equal(numberWith(105), null)
  assert.equal(numberWith(106), 0)
})

test('the next sequence number follows everything that is planned', () => {
  assert.equal(nextSequence(emptyTimeline), 0)
  assert.equal(nextSequence(timeline), 33)
})

test('a run is split into parts of at most the given size', () => {
  const run = aRun({}, ...Array.from({ length: 10 }, (_, at) => plays(`video ${at}`, 2)))

  const parts = splitRun(run, 4)

  assert.ok(parts.every(({ spans }) => spans.length > 0 && spans.length <= 4))
  assert.deepEqual(
    parts.map(({ number }) => number),
    parts.map((_, at) => run.number + at),
  )
})

test('a run is split where a program begins, if that is in the second half of a part', () => {
  const program = (id: string) => ({ id, title: id, description: '', startMs: 0, endMs: 1 })
  const of = (id: string | null) => {
    const part = plays('film', 2)
    return { ...part, airing: { ...part.airing, program: id === null ? null : program(id) } }
  }
  const sizes = (...ids: readonly (string | null)[]) =>
    splitRun(aRun({}, ...ids.map(of)), 4).map(({ spans }) => spans.length)

  assert.deepEqual(sizes('a', 'a', 'a', 'b', 'b', 'b'), [3, 3])
  assert.deepEqual(sizes('a', 'a', 'a', null, null, null), [3, 3])
  assert.deepEqual(sizes('a', 'a', 'a', 'a', 'b', 'b'), [4, 2])
  assert.deepEqual(sizes('a', 'a', 'b', 'b', 'b', 'b'), [4, 2])
  assert.deepEqual(sizes('a', 'a', 'a', 'b'), [4])
})

test('parts of a run whose discontinuity number is open are open too', () => {
  const parts = splitRun(aRun({ discontinuity: null }, plays('one', 5), plays('two', 5)), 1)

  assert.deepEqual(
    parts.map(({ discontinuity }) => discontinuity),
    [null, null],
  )
})

test('of a run that does not end no part ends', () => {
  const parts = splitRun(aRun({}, plays('one', 5), plays('two', 5)), 1)

  assert.deepEqual(
    parts.map(({ isEnd }) => isEnd),
    [false, false],
  )
})

test('a run without spans is not split', () => {
  const stop = aRun({ sequence: 7, isEnd: true })

  assert.deepEqual(splitRun(stop), [stop])
})

test('only the last part of a run that ends has isEnd', () => {
  const parts = splitRun(aRun({ isEnd: true }, plays('one', 5), plays('two', 5), plays('three', 5)), 2)

  assert.deepEqual(
    parts.map(({ isEnd }) => isEnd),
    [false, true],
  )
})

test('a run split into parts gives the same playlists as the run', () => {
  fc.assert(
    fc.property(anyHistory, fc.integer({ min: 1, max: 9 }), (steps, spansInRun) => {
      for (const { atMs, run, before, after } of playHistory(steps)) {
        const parts = splitRun(run, spansInRun).reduce(applyRun, before)

        assert.deepEqual(faultsOf(parts), [])
        for (const waitMs of [5_000, 40_000, 200_000]) {
          for (const output of someOutputs) {
            const [one, other] = [after, parts].map((it) => printAt(it, atMs + waitMs, output, historyView))
            assert.equal(other, one)
          }
        }
      }
    }),
    { numRuns: 60 },
  )
})
