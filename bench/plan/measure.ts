import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Figures } from '@continuity/dev/figures'

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
