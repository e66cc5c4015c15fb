import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../schedule/testing/a-schedule.ts'
import { findListed, findPlaying, findSequence, lastIndexBy, nextPosition } from './find.ts'
import { aRun, plays } from './testing/a-run.ts'
import { aTimeline } from './testing/a-timeline.ts'

/** On the air from second 0 to 32, and again from 100 on. */
const timeline = aTimeline(
  aRun({}, plays('one', 2), plays('two', 3)),
  aRun({ number: 2, sequence: 5, startSeconds: 16, isEnd: true }, plays('three', 5)),
  aRun({ number: 3, sequence: 10, startSeconds: 90, shownFromSeconds: 100 }, plays('four', 9)),
)

test('a segment is listed when it has ended', () => {
  assert.equal(findListed(timeline, at(3.2) - 1), undefined)
  assert.deepEqual(findListed(timeline, at(3.2)), { run: 0, span: 0, segment: 0 })
  assert.deepEqual(findListed(timeline, at(19.2) - 1), { run: 0, span: 1, segment: 2 })
  assert.deepEqual(findListed(timeline, at(19.2)), { run: 1, span: 0, segment: 0 })
})

test('the timeline before a start is listed until the start is shown', () => {
  assert.deepEqual(findListed(timeline, at(100) - 1), { run: 1, span: 0, segment: 4 })
  assert.deepEqual(findListed(timeline, at(100)), { run: 2, span: 0, segment: 2 })
})

test('if a channel starts without a pre-roll slate, nothing is listed until its first segment has ended', () => {
  const bare = aTimeline(
    aRun({ isEnd: true }, plays('one', 2)),
    aRun({ number: 2, sequence: 2, startSeconds: 10, shownFromSeconds: 10 }, plays('two', 9)),
  )

  assert.equal(findListed(bare, at(10)), undefined)
  assert.deepEqual(findListed(bare, at(13.2)), { run: 1, span: 0, segment: 0 })
})

test('a segment plays from its first tick to the one before its end', () => {
  assert.equal(findPlaying(timeline, at(0) - 1), undefined)
  assert.deepEqual(findPlaying(timeline, at(0)), { run: 0, span: 0, segment: 0 })
  assert.deepEqual(findPlaying(timeline, at(6.4) - 1), { run: 0, span: 0, segment: 1 })
  assert.deepEqual(findPlaying(timeline, at(6.4)), { run: 0, span: 1, segment: 0 })
})

test('nothing plays while the channel is off', () => {
  assert.deepEqual(findPlaying(timeline, at(32) - 1), { run: 1, span: 0, segment: 4 })
  assert.equal(findPlaying(timeline, at(32)), undefined)
  assert.deepEqual(findPlaying(timeline, at(90)), { run: 2, span: 0, segment: 0 })
})

test('a segment is found by its sequence number; an unused number finds none', () => {
  assert.deepEqual(findSequence(timeline, 0), { run: 0, span: 0, segment: 0 })
  assert.deepEqual(findSequence(timeline, 4), { run: 0, span: 1, segment: 2 })
  assert.deepEqual(findSequence(timeline, 10), { run: 2, span: 0, segment: 0 })
  assert.equal(findSequence(timeline, -1), undefined)
  assert.equal(findSequence(timeline, 19), undefined)
})

test('the next segment is found across spans and runs, but not across the end of a channel', () => {
  assert.deepEqual(nextPosition(timeline, { run: 0, span: 0, segment: 0 }), { run: 0, span: 0, segment: 1 })
  assert.deepEqual(nextPosition(timeline, { run: 0, span: 0, segment: 1 }), { run: 0, span: 1, segment: 0 })
  assert.deepEqual(nextPosition(timeline, { run: 0, span: 1, segment: 2 }), { run: 1, span: 0, segment: 0 })
  assert.equal(nextPosition(timeline, { run: 1, span: 0, segment: 4 }), undefined)
  assert.equal(nextPosition(timeline, { run: 2, span: 0, segment: 8 }), undefined)
})

test('lastIndexBy finds the last item of a sorted list that is not above a value', () => {
  const last = (value: number) => lastIndexBy([10, 20, 20, 30], (it) => it, value)

  assert.deepEqual([9, 10, 20, 29, 30, 99].map(last), [-1, 0, 2, 2, 3, 3])
  assert.equal(
    lastIndexBy([], () => 0, 5),
    -1,
  )
})
