import assert from 'node:assert/strict'
import type { Plan, PlanInput, PlannedProgram, PlanWarning } from '@continuity/core/rules/plan-input'
import { planSchedule } from '@continuity/core/rules/plan-schedule'
import { createDraw } from '../draw.ts'
import { checkPlan } from './check-plan.ts'
import { randomInput } from './random-input.ts'

/** Sets of rules by their number; `to` is exclusive. */
export interface SetRange {
  readonly seed: number
  readonly days: number
  readonly from: number
  readonly to: number
}

export interface TriedSets {
  readonly sets: number
  readonly programs: number
  readonly faulty: number
  /** Plans that differ when they are made again, and in portions. */
  readonly unequal: number
  readonly differing: number
  readonly counts: Readonly<Record<string, number>>
}

/** Plans and checks each set. */
export function trySets({ seed, days, from, to }: SetRange, log: (line: string) => void): TriedSets {
  const counts: Record<string, number> = {}
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  let [sets, programs, faulty, differing, unequal] = [0, 0, 0, 0, 0]
  for (let at = from; at < to; at += 1) {
    const setSeed = seed * 100_000 + at
    const input = randomInput(setSeed, days)
    const plan = planSchedule(input)
    sets += 1
    programs += plan.programs.length
    const faults = checkPlan(input, plan, count)
    if (faults.length > 0) {
      faulty += 1
      if (faulty <= 5) log(`set ${setSeed}: ${faults.slice(0, 3).join('; ')} (${faults.length})`)
    }
    if (JSON.stringify(planSchedule(input)) !== JSON.stringify(plan)) unequal += 1
    if (!isSame(planInPortions(input, setSeed), plan)) {
      differing += 1
      if (differing <= 5) log(`set ${setSeed}: the plan in portions differs`)
    }
    if (sets % 500 === 0) log(`${sets} sets from ${from} on, ${faulty} with faults`)
  }
  return { sets, programs, faulty, unequal, differing, counts }
}

/** In portions of a minute to two weeks; the state is stored as JSON in between. */
function planInPortions(input: PlanInput, seed: number): Plan {
  const draw = createDraw(seed + 1)
  const programs: PlannedProgram[] = []
  const warnings: PlanWarning[] = []
  let state = input.state
  for (let from_ms = input.from_ms; from_ms < input.to_ms; ) {
    const minutes = draw.one([60, 500, 1_440, 10_080])
    const to_ms = Math.min(input.to_ms, from_ms + Math.max(1, draw.below(2 * minutes)) * 60_000)
    const plan = planSchedule({ ...input, state, from_ms, to_ms })
    programs.push(...plan.programs)
    warnings.push(...plan.warnings)
    state = JSON.parse(JSON.stringify(plan.state)) as Plan['state']
    from_ms = to_ms
  }
  return { programs, warnings, state }
}

function isSame(one: Plan, other: Plan): boolean {
  if (JSON.stringify([one.programs, one.warnings]) !== JSON.stringify([other.programs, other.warnings]))
    return false
  try {
    assert.deepEqual(one.state, other.state)
    return true
  } catch {
    return false
  }
}
