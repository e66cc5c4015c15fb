import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Figures, Targets } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'

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

const script = join(import.meta.dirname, 'plan-month.ts')

/** The cost of a plan, in a separate process. */
export async function measurePlan(size: {
  readonly videos: number
  readonly days: number
  readonly rounds: number
}): Promise<Figures> {
  const child = fork(script, [`${size.videos}`, `${size.days}`, `${size.rounds}`], {
    // With a larger heap, garbage would be counted that a smaller one has to collect.
    execArgv: ['--expose-gc', '--max-old-space-size=170', '--max-semi-space-size=8'],
  })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the measured process exited')))
  // After reporting its figures it may exit.
  failed.catch(() => {})
  const [figures] = (await Promise.race([once(child, 'message'), failed])) as [Figures]
  return figures
}
