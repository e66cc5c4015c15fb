import type { Targets } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'
import { measureMemory } from './measure.ts'

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
