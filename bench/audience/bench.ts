import type { Targets } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'
import { type AudienceSizes, measureAudience } from './measure.ts'

const FULL: AudienceSizes = {
  sessions: 1_000_000,
  channels: 1_000,
  viewersOfEach: 20,
  hours: 6,
  rows: 2_500,
  batches: 20,
}

const targets: Targets = {
  session_rss_mb: { atMost: 400 },
  counting_ratio: { atLeast: 0.85 },
  report_ratio: { atLeast: 0.6 },
  roll_up_ratio_new: { atLeast: 0.4 },
  roll_up_ratio_conflicting: { atLeast: 0.22 },
}

export const audience: Bench = {
  name: 'audience',
  title: 'What counting viewers costs',
  question:
    '`session_rss_mb`: what a process grows by that holds a million viewing sessions on a thousand channels, each with two ' +
    'heartbeats. `counting_ratio`: media playlists per second of processor time of a node that counts its viewers, against ' +
    'one that does not, with the same requests. `report_ratio`: reports of players (CMCD events) per second of processor time of a ' +
    'node, all of which count, against bare node:http that reads the same bodies. `roll_up_ratio_new` and `_conflicting`: rows per second that batches add to the ' +
    'sums by hour and minute, against a bare COPY of the same rows into tables with the same keys, when all rows are new and when ' +
    'all are there. Rounds are interleaved, figures are medians.',
  run: async (context) => ({ figures: await measureAudience(FULL, context), targets }),
}
