import type { FeedChannel } from '@continuity/core/feed/feed-message'
import { emptyPacked, packRun } from '@continuity/core/timeline/codec/packed'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import type { Run } from '@continuity/core/timeline/run'
import { createInProcessNode, type InProcessNode } from '../in-process-node.ts'

/** A playout node with one channel, by the clock of the proof. */
export interface DelayedNode extends Pick<InProcessNode, 'get' | 'sweep'> {
  apply(runs: readonly Run[]): void
}

export function createDelayedNode(
  channel: FeedChannel,
  clock: { readonly nowMs: number },
  live: LiveView,
): DelayedNode {
  const node = createInProcessNode(channel, clock, live)
  let version = 1
  node.apply({ kind: 'whole', epoch: 1, version, channel, timeline: emptyPacked })
  return {
    ...node,
    apply(runs) {
      version += 1
      node.apply({ kind: 'change', epoch: 1, version, channel: null, runs: runs.map(packRun), settled: [] })
    },
  }
}
