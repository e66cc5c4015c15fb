import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Figures } from '../../tools/figures/figures.ts'

// The channels are planned in the process that holds them. With little room for short-lived objects, less of what
// planning leaves behind is counted as theirs.
const execArgv = ['--expose-gc', '--max-semi-space-size=2']

const script = join(import.meta.dirname, 'hold-channels.ts')

/** What the timelines of so many channels take, in a process that has nothing else to do. */
export async function measureMemory(size: {
  readonly channels: number
  readonly hours: number
}): Promise<Figures> {
  const child = fork(script, [`${size.channels}`, `${size.hours}`], { execArgv })
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the process of the bench ended')))
  // Once it has told its figures, it may end.
  failed.catch(() => {})
  const [figures] = (await Promise.race([once(child, 'message'), failed])) as [Figures]
  return figures
}
