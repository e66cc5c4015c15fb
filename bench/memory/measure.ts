import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Figures } from '@continuity/dev/figures'

// The channels are planned in the measured process. A small young generation reduces the garbage of the planning that
// is counted as theirs.
const execArgv = ['--expose-gc', '--max-semi-space-size=2']

const script = join(import.meta.dirname, 'hold-channels.ts')

/** Measures the memory of so many channels' timelines in a separate process. */
export async function measureMemory(size: {
  readonly channels: number
  readonly hours: number
}): Promise<Figures> {
  const child = fork(script, [`${size.channels}`, `${size.hours}`], { execArgv })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the measured process exited')))
  // After reporting its figures it may exit.
  failed.catch(() => {})
  const [figures] = (await Promise.race([once(child, 'message'), failed])) as [Figures]
  return figures
}
