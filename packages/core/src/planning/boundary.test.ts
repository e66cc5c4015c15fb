import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPod, aProgram, at, aVideo, someSlates } from '../schedule/testing/a-schedule.ts'
import { applyRun, type Run, type Timeline } from '../timeline/run.ts'
import { aLog, aTimeline, aView } from '../timeline/testing/a-timeline.ts'
import { aCut, anOverride, aSchedule, onAirAt, planned, started } from '../timeline/testing/control-room.ts'
import { planOverride, planRescue, planSchedule, planStop } from './plan.ts'

/** Videos of 64 s with a pod of 16 s between them: a boundary every 3.2 s, and every 1.6 s in the pod. */
const schedule = aSchedule(600, aProgram(0, 600, aVideo('one', 64), aPod(16), aVideo('two', 320)))
const timeline = started(schedule)

const beginsAt = ({ startTicks }: Run): number => (startTicks - at(0)) / 90_000
const overrideAt = (seconds: number, of: Timeline = timeline) =>
  planned(planOverride(onAirAt(of, seconds), anOverride()))
const rescueAt = (seconds: number) =>
  beginsAt(planned(planRescue(onAirAt(timeline, seconds), someSlates().rescue, aCut)))
const stopAt = (seconds: number) => beginsAt(planned(planStop(onAirAt(timeline, seconds))))

test('a boundary up to 1.7 s in the past is used if the segments on both sides are 3.2 s', () => {
  assert.equal(beginsAt(overrideAt(32 + 1.7)), 32)
  assert.equal(beginsAt(overrideAt(32 + 1.701)), 35.2)
})

test('with shorter new segments, the boundary must be further in the future', () => {
  assert.equal(rescueAt(32 + 0.1), 32)
  assert.equal(rescueAt(32 + 0.101), 35.2)
})

test('the replaced segment must not be listed before the new one', () => {
  // In the pod, a segment has 1.6 s, and the slot that would replace it 3.2 s.
  assert.equal(beginsAt(overrideAt(67.2 + 0.1)), 67.2)
  assert.equal(beginsAt(overrideAt(67.2 + 0.101)), 68.8)
})

test('an ad break that was announced is not cut at its start, one that was not announced is', () => {
  assert.equal(rescueAt(64 - 1.5), 64)
  assert.equal(rescueAt(64 - 1.499), 65.6)
})

test('a run that begins with an ad break waits until the break can be announced', () => {
  const adBreak = { firstSlot: 552_258_009, plannedSlots: 5, endSlot: 552_258_014, slate: null }
  const live = aView(aLog([], [adBreak]))
  const beginOf = (seconds: number) =>
    beginsAt(planned(planOverride(onAirAt(timeline, seconds, live), anOverride())))

  // From second 32 on, the channel would show the slot that began at 28.8, and the break with it.
  assert.equal(beginsAt(overrideAt(30.501)), 32)
  assert.equal(beginOf(30.501), 35.2)
})

test('the channel goes off one cut margin from now at the earliest, because its last playlist is marked as ended at once', () => {
  assert.equal(stopAt(32 - 1.5), 32)
  assert.equal(stopAt(32 - 1.499), 35.2)
})

test('with a start time, the cut is at the start of the segment that plays then', () => {
  const run = planned(planSchedule(onAirAt(timeline, 0), schedule, at(0) / 90 + 100_000))

  assert.equal(beginsAt(run), 99.2)
})

test('with a start time in the past, the cut is at the first free boundary', () => {
  const run = planned(planSchedule(onAirAt(timeline, 32), schedule, at(0) / 90 + 2_000))

  assert.equal(beginsAt(run), 32)
})

test('a second override at the same time replaces the first', () => {
  const once = applyRun(timeline, overrideAt(33))

  assert.equal(beginsAt(overrideAt(33, once)), 32)
})

test('nothing can be cut while the channel is off, or before its first start', () => {
  const stopped = applyRun(timeline, planned(planStop(onAirAt(timeline, 30))))
  const rejected = { kind: 'rejected', reason: 'not_on_air' }

  assert.deepEqual(planOverride(onAirAt(aTimeline(), 0), anOverride()), rejected)
  assert.deepEqual(planOverride(onAirAt(stopped, 40), anOverride()), rejected)
  assert.deepEqual(planStop(onAirAt(stopped, 40)), rejected)
})
