import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planStart, planStop } from '../planning/plan.ts'
import { aProgram, aVideo, ORIGIN_MS } from '../schedule/testing/a-schedule.ts'
import { msOf } from '../time/ticks.ts'
import { plannedUntil } from '../timeline/planned-until.ts'
import { applyRun } from '../timeline/run.ts'
import { aSchedule, onAirAt, planned, started } from '../timeline/testing/control-room.ts'
import { guideBetween } from './guide-between.ts'
import { guideSpansOf } from './guide-spans.ts'

const programs = Array.from({ length: 10 }, (_, at) =>
  aProgram(at * 100, at * 100 + 100, aVideo(`video-${at}`, 100)),
)

test('after the planned timeline, the guide continues with the schedule', () => {
  const timeline = started(aSchedule(250, ...programs))
  const plannedUntilMs = msOf(plannedUntil(timeline)!)

  const guide = guideBetween({
    aired: guideSpansOf(timeline),
    programs: programs.map(({ program }) => program),
    committedUntilMs: plannedUntilMs,
    nowMs: ORIGIN_MS,
    fromMs: ORIGIN_MS,
    toMs: ORIGIN_MS + 1_000_000,
  })

  assert.equal(guide.length, 10)
  assert.ok(plannedUntilMs < ORIGIN_MS + 400_000)
})

test('time off the air is a span without a program', () => {
  const on = started(aSchedule(250, ...programs))
  const off = applyRun(on, planned(planStop(onAirAt(on, 50))))
  const again = applyRun(off, planStart(onAirAt(off, 150), aSchedule(250, ...programs)))

  const spans = guideSpansOf(again)

  const gaps = spans.slice(1).filter(({ startTicks }, at) => startTicks !== spans[at]!.endTicks)
  assert.deepEqual(gaps, [])
  const offAir = spans.filter(({ isOffAir }) => isOffAir === true)
  assert.equal(offAir.length, 1)
  assert.ok(
    offAir.every(
      ({ program, startTicks, endTicks }) => program === null && endTicks - startTicks > 60 * 90_000,
    ),
  )
})
