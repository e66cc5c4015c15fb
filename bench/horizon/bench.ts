import type { Targets } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'
import { measureHorizon } from './measure.ts'

const targets: Targets = {
  channels: { atLeast: 500 },
  programs_added_to_a_channel: { atLeast: 5 },
  minutes_for_10000_channels: { atMost: 60 },
}

export const horizon: Bench = {
  name: 'horizon',
  title: 'Ten thousand channels kept at their horizon',
  question:
    'One worker plans 500 channels 30 days ahead by rules with a strip, a marathon, films and breaks, from a catalog of 2,000 ' +
    'videos, and then extends each by six hours, as it does four times a day. `first_plan_ms` and `extension_ms` are what one ' +
    'channel takes, with all that the job reads and writes; `minutes_for_10000_channels` is the extension, extrapolated.',
  run: async (context) => ({
    figures: await measureHorizon({ channels: 500, videos: context.videos ?? 2_000, days: 30 }, context),
    targets,
  }),
}
