import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, ticks } from '../schedule/testing/a-schedule.ts'
import { aLiveRun, aRun, breaksFor, loops, plays } from '../timeline/testing/a-run.ts'
import { aTimeline } from '../timeline/testing/a-timeline.ts'
import { plannedSegments } from './planned-segments.ts'

const listed = (...params: Parameters<typeof plannedSegments>) =>
  [...plannedSegments(...params)].map(({ startTicks, durationTicks, airing, breakSequence }) => [
    (startTicks - at(0)) / 90_000,
    durationTicks / 90_000,
    airing.type,
    breakSequence,
  ])

const first = aRun({}, plays('film', 5), breaksFor(10), plays('film', 5, 5))
const second = aRun({ number: 2, sequence: 20, startSeconds: 48 }, plays('more', 5))

test('what is planned is listed span by span, breaks with the sequence number of their first segment', () => {
  assert.deepEqual(listed(aTimeline(first, second), 0), [
    [0, 16, 'VIDEO', null],
    [16, 16, 'AD_POD', 5],
    [32, 16, 'VIDEO', null],
    [48, 16, 'VIDEO', null],
  ])
})

test('from a sequence number on, the span that contains it is cut', () => {
  const timeline = aTimeline(first, second)

  assert.deepEqual(listed(timeline, 7).slice(0, 2), [
    [19.2, 12.8, 'AD_POD', 5],
    [32, 16, 'VIDEO', null],
  ])
  assert.deepEqual(listed(timeline, 20), [[48, 16, 'VIDEO', null]])
  assert.deepEqual(listed(timeline, 25), [])
})

test('what follows an override without an end is unknown, and the slate after a schedule is not planned', () => {
  const live = aLiveRun({ number: 2, sequence: 5, startSeconds: 16 })
  const spare = aRun({}, plays('film', 5), loops('slate', 2 ** 40))

  assert.deepEqual(listed(aTimeline(first, live), 0), [[0, 16, 'VIDEO', null]])
  assert.deepEqual(listed(aTimeline(spare), 0), [[0, 16, 'VIDEO', null]])
})

test('a break whose start was cut away has no sequence number', () => {
  const [span] = aRun({}, breaksFor(10)).spans
  const timeline = aTimeline({ ...aRun({}, breaksFor(10)), spans: [{ ...span!, adBreak: null }] })

  assert.deepEqual(listed(timeline, 0), [[0, ticks(16) / 90_000, 'AD_POD', null]])
})
