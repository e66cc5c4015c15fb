import assert from 'node:assert/strict'
import type { Plan, PlanInput, PlannedProgram, PlanWarning } from '@continuity/core/rules/plan-input'
import { planSchedule } from '@continuity/core/rules/plan-schedule'
import { createDraw } from '../draw.ts'
import { proof } from '../proofs/proof.ts'
import { checkPlan } from './check-plan.ts'
import { randomInput } from './random-input.ts'

interface Sets {
  readonly sets: number
  readonly days: number
}

const COUNTED = [
  'limited_programs',
  'rated_samples',
  'aligned_HOUR',
  'aligned_HALF_HOUR',
  'programs_NEXT_EPISODE',
  'programs_MARATHON',
  'programs_SHUFFLE',
  'programs_NEWEST_FIRST',
  'programs_REPLAY',
  'separations_broken',
  'breaks_BETWEEN',
  'breaks_CUE_POINTS',
  'repeats',
  'episodes',
  'near_change',
  'gaps',
]

export const planRules = proof<Sets>({
  name: 'plan-rules',
  title: 'Plans of random rules',
  promise:
    'Random rules over random catalogs are planned, in five zones over clock changes and a leap day. The same input ' +
    'gives the same bytes, and so does a plan in random portions, each continued from the state of the one before as ' +
    'it was stored. A checker without any code of the planner verifies from the programs alone: no overlap, every ' +
    'strict rule kept, every other one that is broken named in a warning, fill only where nothing is allowed.',
  watches: ['packages/core/src/rules', 'e2e/plan-rules'],
  sabotage: {
    title: 'the state does not contain recent airings',
    changes: [
      {
        file: 'packages/core/src/rules/memory.ts',
        from: 'endMs > nowMs - RECENT_MS',
        to: 'endMs > nowMs + RECENT_MS',
      },
    ],
    missed: ['plans_in_portions_that_differ'],
  },
  sizes: { small: { sets: 300, days: 4 }, full: { sets: 10_000, days: 30 } },
  async run({ size: { sets, days }, seed, log }) {
    const counts = new Map<string, number>()
    const count = (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1)
    let [programs, faulty, differing, unequal] = [0, 0, 0, 0]
    for (let at = 0; at < sets; at += 1) {
      const setSeed = seed * 100_000 + at
      const input = randomInput(setSeed, days)
      const plan = planSchedule(input)
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
      if (at % 500 === 499) log(`${at + 1} sets, ${faulty} with faults`)
    }
    const figures = Object.fromEntries(COUNTED.map((name) => [name.toLowerCase(), counts.get(name) ?? 0]))
    return {
      figures: {
        sets,
        days,
        programs,
        ...figures,
        sets_with_faults: faulty,
        plans_made_again_that_differ: unequal,
        plans_in_portions_that_differ: differing,
      },
      targets: {
        programs: { atLeast: 15 * sets * days },
        ...Object.fromEntries(COUNTED.map((name) => [name.toLowerCase(), { atLeast: 1 }])),
        sets_with_faults: { is: 0 },
        plans_made_again_that_differ: { is: 0 },
        plans_in_portions_that_differ: { is: 0 },
      },
    }
  },
})

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
