import type fc from 'fast-check'
import { applyPacked, emptyPacked, packRun, settlePacked } from '../../timeline/codec/packed.ts'
import { settledRuns } from '../../timeline/settle-run.ts'
import { anyHistory, historyView, playHistory, type Step } from '../../timeline/testing/a-history.ts'
import type { ChannelState } from '../channel-state.ts'
import type { DeltaMessage, FeedChannel, SnapshotMessage } from '../feed-message.ts'

/** One update of a channel's feed in both forms, and the state after it. */
export interface FeedUpdate {
  readonly snapshot: SnapshotMessage
  readonly delta: DeltaMessage
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

/** The feed of a history; every third update has a new title too. */
export function feedOf(steps: readonly Step[]): readonly FeedUpdate[] {
  let timeline = emptyPacked
  let channel = aFeedChannel()
  return playHistory(steps).map(({ run, atMs, after }, at) => {
    const version = at + 1
    const isRenamed = version % 3 === 0
    if (isRenamed) channel = aFeedChannel(`North ${version}`)
    const settled = settledRuns({ timeline: after, live: historyView, nowMs: atMs })
    timeline = settled.reduce(settlePacked, applyPacked(timeline, run))
    const delta = { epoch: 1, version, channel: isRenamed ? channel : null, runs: [packRun(run)], settled }
    return {
      snapshot: { kind: 'whole', epoch: 1, version, channel, timeline },
      delta: { kind: 'change', ...delta },
      state: { epoch: 1, version, channel, timeline },
    }
  })
}

export const anyFeed: fc.Arbitrary<readonly FeedUpdate[]> = anyHistory.map(feedOf)
