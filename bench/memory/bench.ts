import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Figures, Targets } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'

const CHANNELS = 10_000
const HOURS = 24

export const memoryTargets: Targets = { rss_mb: { atMost: 300 }, heap_and_external_mb: { atMost: 300 } }

export const memory: Bench = {
  name: 'memory',
  title: 'Memory that the timelines of all channels take',
  limits: {
    rss_mb:
      'what planning in the same process leaves behind is counted too; heap and buffers alone grow by 283 MB. The target remains',
  },
  question:
    '10,000 channels with a day of packed timeline each, and with videos, programs and texts of their own. What a ' +
    'process grows by that holds them, after a collection of garbage; `hot` is with the unpacked runs of the ' +
    'current window of every channel beside them. Times are medians.',
  run: async () => ({
    figures: await measureMemory({ channels: CHANNELS, hours: HOURS }),
    targets: memoryTargets,
  }),
}

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
