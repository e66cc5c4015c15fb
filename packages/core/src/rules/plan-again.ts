import { type CatalogIndex, indexCatalog } from './catalog-index.ts'
import { continueState, type RecordedProgram } from './memory.ts'
import type { CatalogSnapshot, FixedProgram, PlannedProgram, PlanState, PlanWarning } from './plan-input.ts'
import type { PlanRules } from './plan-rules.ts'
import { planSchedule } from './plan-schedule.ts'

/** A channel whose programs were planned before, up to some time. */
export interface PlanAgainInput {
  readonly rules: PlanRules
  readonly catalog: CatalogSnapshot
  readonly seed: number
  /** After all programs of rules that start before `state_ms`. */
  readonly state: PlanState
  readonly state_ms: number
  /** Programs of rules that start at `state_ms` or later, by start. */
  readonly known: readonly RecordedProgram[]
  readonly fixed: readonly FixedProgram[]
  /** Programs that start earlier can no longer be replaced. */
  readonly replaceable_ms: number
  /** Programs that start earlier stay as they are, unless a video has left the catalog. */
  readonly from_ms: number
  readonly to_ms: number
}

export interface PlanAgain {
  /** From when on programs were planned again. */
  readonly from_ms: number
  readonly programs: readonly PlannedProgram[]
  readonly warnings: readonly PlanWarning[]
  /** The state after all programs that start before `state_ms`, which can no longer be replaced. */
  readonly state: PlanState
  readonly state_ms: number
}

/**
 * Plans programs of a channel again from a time on. Positions continue from the programs before, as they are in the
 * schedule: one that was removed does not count, so its episode is still to come.
 */
export function planAgain(input: PlanAgainInput): PlanAgain {
  const { rules, catalog, seed, known, fixed, replaceable_ms, to_ms } = input
  const index = indexCatalog(catalog, rules, seed)
  const goneMs = findGone(known, replaceable_ms, index)
  const from_ms = Math.max(replaceable_ms, Math.min(input.from_ms, goneMs))
  const state_ms = Math.max(input.state_ms, replaceable_ms)
  const between = (startMs: number, endMs: number) =>
    known.filter(({ start_ms }) => start_ms >= startMs && start_ms < endMs)
  const state = continueState(input.state, between(input.state_ms, state_ms), index)
  const plan = planSchedule(
    {
      rules,
      catalog,
      seed,
      state: continueState(state, between(state_ms, from_ms), index),
      from_ms,
      to_ms,
      fixed,
    },
    index,
  )
  return { from_ms, programs: plan.programs, warnings: plan.warnings, state, state_ms }
}

/** When the first program starts whose video cannot be planned any more. */
function findGone(known: readonly RecordedProgram[], replaceableMs: number, index: CatalogIndex): number {
  const isGone = ({ start_ms, end_ms, video_id }: RecordedProgram) => {
    const at = index.indexOf.get(video_id)
    return start_ms >= replaceableMs && (at === undefined || index.expiredMs[at]! < end_ms)
  }
  return known.find(isGone)?.start_ms ?? Infinity
}
