import { emptyPlanState, type PlannedProgram, type PlanWarning } from '@continuity/core/rules/plan-input'
import type { PlanRules } from '@continuity/core/rules/plan-rules'
import type { Db } from '../../platform/database/database.ts'
import type { Channel } from '../channels/index.ts'
import { findRulesChange } from '../schedule/index.ts'
import { PlanBusy } from './errors.ts'
import { readPlannedAround } from './plan-input.ts'
import { type ChannelPlan, seedOf } from './plan-store.ts'
import type { Planner } from './planner.ts'

export interface PreviewRange {
  readonly fromMs: number
  readonly untilMs: number
}

export interface Preview {
  readonly programs: readonly PlannedProgram[]
  readonly warnings: readonly PlanWarning[]
  /** Time of the range without any program. */
  readonly fillMs: number
}

/** One that is computed, and some that wait for it, each of another account. */
const WAITING_MAXIMUM = 4

/**
 * What rules would plan in a range. All that can be replaced is planned again, as if the rules were stored now.
 */
export async function previewPlan(
  db: Db,
  planner: Planner,
  channel: Channel,
  stored: ChannelPlan | undefined,
  rules: PlanRules,
  { fromMs, untilMs }: PreviewRange,
  nowMs: number,
): Promise<Preview> {
  const plan = stored ?? { stateMs: nowMs, state: emptyPlanState, seed: seedOf(channel.channelId) }
  const around = await readPlannedAround(db, channel, plan, untilMs, nowMs)
  const noted = await findRulesChange(db, channel)
  if (planner.waiting() >= WAITING_MAXIMUM || planner.waiting(channel.accountId) > 0) throw PlanBusy()
  const { programs, warnings } = await planner.plan(db, channel.accountId, {
    rules,
    seed: plan.seed,
    state: plan.state,
    state_ms: plan.stateMs,
    known: around.known,
    fixed: around.fixed,
    replaceable_ms: around.replaceableMs,
    from_ms: Math.min(around.replaceableMs, noted ?? Infinity),
    to_ms: Math.max(untilMs, around.replaceableMs),
  })
  const isShown = (ms: number) => ms >= fromMs && ms < untilMs
  const windows = [
    ...programs,
    ...around.known.filter(({ start_ms }) => start_ms < around.replaceableMs),
    ...around.fixed,
  ]
  return {
    programs: programs.filter(({ start_ms }) => isShown(start_ms)),
    warnings: warnings.filter(({ at_ms }) => isShown(at_ms)),
    fillMs: untilMs - fromMs - coveredMs(windows, fromMs, untilMs),
  }
}

function coveredMs(
  windows: readonly { readonly start_ms: number; readonly end_ms: number }[],
  fromMs: number,
  untilMs: number,
): number {
  let sumMs = 0
  let reachedMs = fromMs
  for (const { start_ms, end_ms } of windows.toSorted((one, other) => one.start_ms - other.start_ms)) {
    const startMs = Math.max(start_ms, reachedMs)
    const endMs = Math.min(end_ms, untilMs)
    if (endMs <= startMs) continue
    sumMs += endMs - startMs
    reachedMs = endMs
  }
  return sumMs
}
