import assert from 'node:assert/strict'
import { type OverrideParams, type PlanResult, planStart, type Schedule } from '../../planning/plan.ts'
import type { ScheduledProgram } from '../../schedule/scheduled-program.ts'
import { aMedia, ORIGIN_MS, someSlates } from '../../schedule/testing/a-schedule.ts'
import { type LiveView, noLive } from '../discontinuity.ts'
import type { OnAir } from '../on-air.ts'
import { applyRun, emptyTimeline, type Run, type Timeline } from '../run.ts'
import type { Program } from '../span.ts'

/** A channel at a time of the tests. */
export const onAirAt = (timeline: Timeline, seconds: number, live: LiveView = noLive): OnAir => ({
  timeline,
  live,
  nowMs: ORIGIN_MS + Math.round(seconds * 1_000),
})

export const aSchedule = (untilSeconds: number, ...programs: readonly ScheduledProgram[]): Schedule => ({
  programs,
  slates: someSlates(),
  untilMs: ORIGIN_MS + untilSeconds * 1_000,
})

/** A channel that follows a schedule from second 0 on: it was started one cut margin earlier. */
export const started = (schedule: Schedule): Timeline =>
  applyRun(emptyTimeline, planStart(onAirAt(emptyTimeline, -1.5), schedule))

export const anOverride = (sourceId = 'north'): OverrideParams => ({
  sourceId,
  slotMs: 3_200,
  fill: aMedia('fill', 16),
  program: aCut,
  title: sourceId,
})

/** The program of an override. */
export const aCut: Program = { id: 'cut', title: 'cut', description: '', startMs: ORIGIN_MS, endMs: null }

/** The run of a plan that must not be rejected. */
export function planned(result: PlanResult): Run {
  assert.equal(result.kind, 'planned')
  return result.run
}
