import type { FeedChannel, FeedMessage, FeedOutput } from '@continuity/core/feed/feed-message'
import { emptyPacked, packRun } from '@continuity/core/timeline/codec/packed'
import type { Run } from '@continuity/core/timeline/run'

export const CHANNEL_ID = '0198b0a0-0000-7000-8000-00000000c001'
export const anId = (channelId = CHANNEL_ID) => ({ accountId: 'north', channelId })

export const anOutput = (over: Partial<FeedOutput> = {}): FeedOutput => ({
  distributor: 'direct',
  key: null,
  windowMs: 32_000,
  markers: 'BOTH',
  breakPolicy: 'ACTUAL',
  ...over,
})

export const aChannel = (over: Partial<FeedChannel> = {}): FeedChannel => ({
  ...anId(),
  title: 'North One',
  description: '',
  frameRate: 30,
  segmentMs: 3_200,
  outputs: [anOutput()],
  ...over,
})

/** The snapshot of a new channel, then each of its runs as a delta. */
export const aFeed = (runs: readonly Run[], channel = aChannel()): readonly FeedMessage[] => [
  { kind: 'whole', epoch: 1, version: 1, channel, timeline: emptyPacked },
  ...runs.map(
    (run, at): FeedMessage => ({
      kind: 'change',
      epoch: 1,
      version: at + 2,
      channel: null,
      runs: [packRun(run)],
      settled: [],
    }),
  ),
]
