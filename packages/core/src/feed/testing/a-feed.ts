import type fc from 'fast-check'
import { applyPacked, emptyPacked, packRun, settlePacked } from '../../timeline/packed.ts'
import { settledRuns } from '../../timeline/settle-run.ts'
import { anyHistory, historyView, playHistory, type Step } from '../../timeline/testing/a-history.ts'
import type { ChannelState } from '../channel-state.ts'
import type { ChangeMessage, FeedChannel, WholeMessage } from '../feed-message.ts'

/** One step of a channel's feed in both of its forms, with what a node knows after it. */
export interface TwofoldStep {
  readonly whole: WholeMessage
  readonly change: ChangeMessage
  readonly state: ChannelState
}

export const aFeedChannel = (title = 'North'): FeedChannel => ({
  accountId: '0b1e3f8a-0000-4222-8333-444455556666',
  channelId: '0b1e3f8a-1111-4222-8333-444455556666',
  title,
  description: 'Ängste 東京 🎬',
  frameRate: 30,
  segmentMs: 3_200,
  outputs: [
    { distributor: 'direct', key: null, windowMs: 32_000, markers: 'BOTH', breakPolicy: 'ACTUAL' },
    { distributor: 'lens', key: 'n-1', windowMs: 120_000, markers: 'CUE', breakPolicy: 'FULL_LENGTH' },
  ],
})

/** What the feed tells of a history; every third step has a new title too. */
export function feedOf(steps: readonly Step[]): readonly TwofoldStep[] {
  let timeline = emptyPacked
  let channel = aFeedChannel()
  return playHistory(steps).map(({ run, atMs, after }, at) => {
    const version = at + 1
    const isRenamed = version % 3 === 0
    if (isRenamed) channel = aFeedChannel(`North ${version}`)
    const settled = settledRuns({ timeline: after, live: historyView, nowMs: atMs })
    timeline = settled.reduce(settlePacked, applyPacked(timeline, run))
    const change = { epoch: 1, version, channel: isRenamed ? channel : null, runs: [packRun(run)], settled }
    return {
      whole: { kind: 'whole', epoch: 1, version, channel, timeline },
      change: { kind: 'change', ...change },
      state: { epoch: 1, version, channel, timeline },
    }
  })
}

export const anyFeed: fc.Arbitrary<readonly TwofoldStep[]> = anyHistory.map(feedOf)
