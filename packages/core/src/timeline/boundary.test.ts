import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPod, aProgram, at, aVideo, someSlates } from '../schedule/testing/a-schedule.ts'
import { planOverride, planRescue, planSchedule, planStop } from './plan.ts'
import { applyRun, type Run, type Timeline } from './run.ts'
import { aLog, aTimeline, aView } from './testing/a-timeline.ts'
import { aCut, anOverride, aSchedule, onAirAt, planned, started } from './testing/control-room.ts'

/** Videos of 64 s with a pod of 16 s between them; boundaries every 3.2 s, and every 1.6 s in the pod. */
const schedule = aSchedule(600, aProgram(0, 600, aVideo('one', 64), aPod(16), aVideo('two', 320)))
const timeline = started(schedule)

const beginsAt = ({ startTicks }: Run): number => (startTicks - at(0)) / 90_000
const overrideAt = (seconds: number, of: Timeline = timeline) =>
  planned(planOverride(onAirAt(of, seconds), anOverride()))
const rescueAt = (seconds: number) =>
  beginsAt(planned(planRescue(onAirAt(timeline, seconds), someSlates().rescue, aCut)))
const stopAt = (seconds: number) => beginsAt(planned(planStop(onAirAt(timeline, seconds))))

test('a boundary up to 1.7 s in the past is used where the segments on both sides are 3.2 s', () => {
  assert.equal(beginsAt(overrideAt(32 + 1.7)), 32)
  assert.equal(beginsAt(overrideAt(32 + 1.701)), 35.2)
})

test('a boundary in the future is used where what begins there is shorter', () => {
  assert.equal(rescueAt(32 + 0.1), 32)
  assert.equal(rescueAt(32 + 0.101), 35.2)
})

test('what is replaced must not be seen any sooner than what takes its place', () => {
  // In the pod a segment is 1.6 s, and the slot that would take its place 3.2 s.
  assert.equal(beginsAt(overrideAt(67.2 + 0.1)), 67.2)
  assert.equal(beginsAt(overrideAt(67.2 + 0.101)), 68.8)
})

test('an ad break that was announced is not cut at its beginning, and one that was not is', () => {
  assert.equal(rescueAt(64 - 1.5), 64)
  assert.equal(rescueAt(64 - 1.499), 65.6)
})

test('what begins with an ad break of its own is announced too, and must wait for that', () => {
  const adBreak = { firstSlot: 552_258_009, plannedSlots: 5, endSlot: 552_258_014, slate: null }
  const live = aView(aLog([], [adBreak]))
  const beginOf = (seconds: number) =>
    beginsAt(planned(planOverride(onAirAt(timeline, seconds, live), anOverride())))

  // From second 32 on the channel would show the slot that began at 28.8, and the break with it.
  assert.equal(beginsAt(overrideAt(30.501)), 32)
  assert.equal(beginOf(30.501), 35.2)
})

test('the channel goes off a guard from now at the earliest: its last playlist says so at once', () => {
  assert.equal(stopAt(32 - 1.5), 32)
  assert.equal(stopAt(32 - 1.499), 35.2)
})

test('from a time on, it is the boundary of what plays then', () => {
  const run = planned(planSchedule(onAirAt(timeline, 0), schedule, at(0) / 90 + 100_000))

  assert.equal(beginsAt(run), 99.2)
})

test('from a time in the past, it is the first boundary that is free', () => {
  const run = planned(planSchedule(onAirAt(timeline, 32), schedule, at(0) / 90 + 2_000))

  assert.equal(beginsAt(run), 32)
})

test('a second order at the same time takes the place of the first', () => {
  const once = applyRun(timeline, overrideAt(33))

  assert.equal(beginsAt(overrideAt(33, once)), 32)
})

test('nothing can be cut where the channel is off, or was never on', () => {
  const stopped = applyRun(timeline, planned(planStop(onAirAt(timeline, 30))))
  const refused = { kind: 'refused', reason: 'not_on_air' }

  assert.deepEqual(planOverride(onAirAt(aTimeline(), 0), anOverride()), refused)
  assert.deepEqual(planOverride(onAirAt(stopped, 40), anOverride()), refused)
  assert.deepEqual(planStop(onAirAt(stopped, 40)), refused)
})
