import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../schedule/testing/a-schedule.ts'
import type { Run } from './run.ts'
import { OPEN_SEGMENTS, type Span } from './span.ts'
import { aLiveRun, aRun, loops, plays } from './testing/a-run.ts'
import { faultsOf } from './timeline-faults.ts'

const first = aRun({}, plays('one', 5), loops('slate', 25), plays('one', 5, 5))
const last = aRun(
  { number: 2, sequence: 35, startSeconds: 72 },
  plays('two', 5),
  loops('rescue', OPEN_SEGMENTS),
)

/** The faults of these runs, or with a modified span of the first run. */
const faultsWith = (runs: readonly Run[]): string[] => faultsOf({ version: 9, runs })
const faultsWithSpan = (index: number, over: Partial<Span>): string[] =>
  faultsWith([
    { ...first, spans: first.spans.map((span, at) => (at === index ? { ...span, ...over } : span)) },
    last,
  ])

test('a valid timeline has no faults', () => {
  assert.deepEqual(faultsWith([]), [])
  assert.deepEqual(faultsWith([first, last]), [])
  assert.deepEqual(faultsWith([{ ...first, isEnd: true }]), [])
  assert.deepEqual(faultsWith([aLiveRun({})]), [])
})

test('a run without spans is reported', () => {
  assert.deepEqual(faultsWith([{ ...last, spans: [], isEnd: true }]), ['run 2 is empty'])
})

test('a run that does not begin at its first span is reported', () => {
  const fault = ['run 2 does not begin where its first span does']

  assert.deepEqual(faultsWith([{ ...last, startTicks: at(71) }]), fault)
  assert.deepEqual(faultsWith([{ ...last, firstSequence: 34 }]), fault)
  assert.ok(
    faultsWithSpan(0, { discontinuity: 1 }).includes('run 1 does not begin where its first span does'),
  )
})

test('a span without segments is reported', () => {
  assert.ok(faultsWithSpan(1, { segments: 0 }).includes('the span at 5 is empty'))
})

test('a span with more segments than its media is reported, unless it is looped', () => {
  const tooLong = { ...first.spans[2]!.show, firstSegment: 96 } as Span['show']

  assert.ok(faultsWithSpan(2, { show: tooLong }).includes('the span at 30 has more segments than its media'))
})

test('gaps and overlaps between spans are reported', () => {
  const fault = ['the span at 30 leaves out or repeats time', 'run 2 leaves out or repeats time']

  assert.deepEqual(faultsWithSpan(2, { startTicks: at(56) + 1 }), fault)
  assert.deepEqual(faultsWithSpan(2, { startTicks: at(56) - 1 }), fault)
})

test('a wrong sequence number is reported', () => {
  assert.ok(faultsWithSpan(2, { firstSequence: 31 }).includes('the span at 31 has a wrong sequence number'))
})

test('a wrong discontinuity number is reported', () => {
  const fault = ['the span at 30 has a wrong discontinuity number']

  assert.deepEqual(faultsWithSpan(2, { discontinuity: 3 }), fault)
  assert.deepEqual(faultsWithSpan(2, { discontinuity: 5 }), fault)
})

test('gaps in time and sequence numbers between runs are reported', () => {
  const lateRun = aRun({ number: 2, sequence: 35, startSeconds: 73 }, loops('rescue', OPEN_SEGMENTS))
  const skipped = aRun({ number: 2, sequence: 36, startSeconds: 72 }, loops('rescue', OPEN_SEGMENTS))

  assert.deepEqual(faultsWith([first, lateRun]), ['run 2 leaves out or repeats time'])
  assert.deepEqual(faultsWith([first, skipped]), ['run 2 leaves out or repeats sequence numbers'])
})

test('a start may leave a gap in time, but not overlap', () => {
  const ended = { ...first, isEnd: true }
  const startAt = (seconds: number) =>
    aRun(
      { number: 2, sequence: 35, startSeconds: seconds, shownFromSeconds: 99 },
      loops('rescue', OPEN_SEGMENTS),
    )

  assert.deepEqual(faultsWith([ended, startAt(80)]), [])
  assert.deepEqual(faultsWith([ended, startAt(71)]), ['run 2 leaves out or repeats time'])
})

test('a start of a channel that is on the air, and a continuation of one that is off, are reported', () => {
  const fault = ['run 2 starts a channel that is on, or continues one that is off']

  assert.deepEqual(faultsWith([first, { ...last, shownFromTicks: at(99) }]), fault)
  assert.deepEqual(faultsWith([{ ...first, isEnd: true }, last]), fault)
})

test('a run that is older than the one before it is reported', () => {
  assert.deepEqual(faultsWith([{ ...first, number: 3 }, last]), ['run 2 is older than the one before it'])
})

test('a channel on the air without an endless last span is reported', () => {
  assert.deepEqual(faultsWith([first]), ['run 1 is the last one, and has an end'])
})
