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

/** What is found where the two runs, or a span of the first, are otherwise. */
const faultsWith = (runs: readonly Run[]): string[] => faultsOf({ version: 9, runs })
const faultsWithSpan = (place: number, over: Partial<Span>): string[] =>
  faultsWith([
    { ...first, spans: first.spans.map((span, at) => (at === place ? { ...span, ...over } : span)) },
    last,
  ])

test('a sound timeline has no faults', () => {
  assert.deepEqual(faultsWith([]), [])
  assert.deepEqual(faultsWith([first, last]), [])
  assert.deepEqual(faultsWith([{ ...first, isEnd: true }]), [])
  assert.deepEqual(faultsWith([aLiveRun({})]), [])
})

test('a run without spans is found', () => {
  assert.deepEqual(faultsWith([{ ...last, spans: [], isEnd: true }]), ['run 2 is empty'])
})

test('a run that does not begin where its first span does is found', () => {
  const fault = ['run 2 does not begin where its first span does']

  assert.deepEqual(faultsWith([{ ...last, startTicks: at(71) }]), fault)
  assert.deepEqual(faultsWith([{ ...last, firstSequence: 34 }]), fault)
  assert.ok(
    faultsWithSpan(0, { discontinuity: 1 }).includes('run 1 does not begin where its first span does'),
  )
})

test('a span without segments is found', () => {
  assert.ok(faultsWithSpan(1, { segments: 0 }).includes('the span at 5 is empty'))
})

test('a span with more segments than its media is found, unless it is repeated', () => {
  const tooLong = { ...first.spans[2]!.show, firstSegment: 96 } as Span['show']

  assert.ok(faultsWithSpan(2, { show: tooLong }).includes('the span at 30 has more segments than its media'))
})

test('time that spans leave out or repeat is found', () => {
  const fault = ['the span at 30 leaves out or repeats time', 'run 2 leaves out or repeats time']

  assert.deepEqual(faultsWithSpan(2, { startTicks: at(56) + 1 }), fault)
  assert.deepEqual(faultsWithSpan(2, { startTicks: at(56) - 1 }), fault)
})

test('a wrong sequence number is found', () => {
  assert.ok(faultsWithSpan(2, { firstSequence: 31 }).includes('the span at 31 has a wrong sequence number'))
})

test('a wrong discontinuity number is found', () => {
  const fault = ['the span at 30 has a wrong discontinuity number']

  assert.deepEqual(faultsWithSpan(2, { discontinuity: 3 }), fault)
  assert.deepEqual(faultsWithSpan(2, { discontinuity: 5 }), fault)
})

test('time and sequence numbers that lie between runs are found', () => {
  const lateRun = aRun({ number: 2, sequence: 35, startSeconds: 73 }, loops('rescue', OPEN_SEGMENTS))
  const skipped = aRun({ number: 2, sequence: 36, startSeconds: 72 }, loops('rescue', OPEN_SEGMENTS))

  assert.deepEqual(faultsWith([first, lateRun]), ['run 2 leaves out or repeats time'])
  assert.deepEqual(faultsWith([first, skipped]), ['run 2 leaves out or repeats sequence numbers'])
})

test('a channel that starts may leave out time, and never goes back in it', () => {
  const ended = { ...first, isEnd: true }
  const startAt = (seconds: number) =>
    aRun(
      { number: 2, sequence: 35, startSeconds: seconds, shownFromSeconds: 99 },
      loops('rescue', OPEN_SEGMENTS),
    )

  assert.deepEqual(faultsWith([ended, startAt(80)]), [])
  assert.deepEqual(faultsWith([ended, startAt(71)]), ['run 2 leaves out or repeats time'])
})

test('a start of a channel that is on the air, and what goes on with one that is off, are found', () => {
  const fault = ['run 2 starts a channel that was not off, or goes on with one that was']

  assert.deepEqual(faultsWith([first, { ...last, shownFromTicks: at(99) }]), fault)
  assert.deepEqual(faultsWith([{ ...first, isEnd: true }, last]), fault)
})

test('a run that is older than the one before it is found', () => {
  assert.deepEqual(faultsWith([{ ...first, number: 3 }, last]), ['run 2 is older than the one before it'])
})

test('a channel on the air that runs out of timeline is found', () => {
  assert.deepEqual(faultsWith([first]), ['run 1 ends, and nothing follows'])
})
