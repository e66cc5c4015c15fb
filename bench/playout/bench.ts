import type { Targets } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'
import { measurePlayout, type PlayoutSizes } from './measure.ts'

const FULL: PlayoutSizes = {
  hours: 24,
  all: 10_000,
  some: 1_000,
  behindNginx: 100,
  rival: 20,
  idleSeconds: 30,
  boundaryRequests: 10_000,
}

const targets: Targets = {
  ratio_of_1000: { atLeast: 0.8 },
  ratio_of_10000: { atLeast: 0.72 },
  times_channel_engine: { atLeast: 2.5 },
  edge_ratio: { atLeast: 0.85 },
  rss_mb: { atMost: 600 },
  idle_cpu_percent: { atMost: 1 },
  renders_per_playlist: { is: 1 },
}

export const playout: Bench = {
  name: 'playout',
  title: 'Media playlists of a playout node against bare servers',
  question:
    'A node process with a day of timeline for each of its channels, with a feed that sends a heartbeat every second. ' +
    '`ratio_of_N`: answers per second of its processor time with N channels, requested round-robin and each ' +
    'viewer with a session, against bare node:http that gives one playlist with the same headers. ' +
    '`times_channel_engine`: against eyevinn-channel-engine 3.0.5 with as many channels, the same videos and as long a ' +
    'window. `edge_ratio`: answers per second of processor time of nginx with our configuration in front of the node, ' +
    'log included, against nginx that gives the same playlists from files with sendfile and writes no log; tuned ones ' +
    'have the settings that ours has. `rss_mb` and `idle_cpu_percent` are those of a node without viewers, ' +
    '`hot_rss_mb` is after all of its channels were. `renders_per_playlist`: requests that come together right after ' +
    'a segment has ended. Rounds are interleaved, figures are medians, the load runs on another core. With N channels ' +
    'a round begins with another second of the same load, so that its playlists have been requested before.',
  run: async (context) => ({ figures: await measurePlayout(FULL, context), targets }),
}
