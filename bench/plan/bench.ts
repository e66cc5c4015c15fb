import type { Targets } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'
import { measurePlan } from './measure.ts'

export const planTargets: Targets = {
  slowest_cpu_ms: { atMost: 1_000 },
  catalog_and_plan_mb: { atMost: 200 },
}

export const plan: Bench = {
  name: 'plan',
  title: 'A month of one channel, planned from 100,000 videos',
  question:
    'Thirty days of one channel are planned by usual rules, and by rules that allow one video in 5,000 or none: by ' +
    'rating, by availability, by keyword. Processor time of the thread that plans, the index of the catalog included, as the ' +
    'median of the rounds, beside that of all threads and the time that elapsed; and the heap with the catalog, after a plan and before a collection of garbage.',
  run: async ({ rounds, videos = 100_000 }) => ({
    figures: await measurePlan({ videos, days: 30, rounds: Math.min(rounds, 5) }),
    targets: planTargets,
  }),
}
