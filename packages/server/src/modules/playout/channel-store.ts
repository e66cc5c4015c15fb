import { applyUpdate, type ChannelState } from '@continuity/core/feed/channel-state'
import { type FeedMessage, isNewer, type SnapshotMessage } from '@continuity/core/feed/feed-message'
import { isLateCut } from '@continuity/core/feed/late-cut'
import { ticksOf } from '@continuity/core/time/ticks'
import {
  dropPacked,
  emptyPacked,
  keptTicks,
  type PackedTimeline,
} from '@continuity/core/timeline/codec/packed'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import { createMissingUpdates, type MissingUpdates } from './missing-updates.ts'

/** The state of all channels of a node. Written only by `apply`. */
export interface ChannelStore {
  /** Undefined if it does not exist or was removed. */
  find(channelId: string): ChannelState | undefined
  /** Includes removed channels, whose version is kept so that an earlier update cannot restore them. */
  states(): IterableIterator<ChannelState>
  /** Without removed channels. */
  count(): number
  apply(key: FeedChannelId, message: FeedMessage): ApplyResult
  /** When the feed has a snapshot of every channel in an epoch: updates that remove channels last received in an earlier one. */
  listObsolete(epoch: number): readonly SnapshotMessage[]
  /** Whether `apply` would change nothing. */
  isKnown(key: FeedChannelId, message: FeedMessage): boolean
  /** Requests updates that have been missing for too long; call about twice a second. */
  requestMissing(): void
  /** Number of channels that wait for a missing update. */
  waiting(): number
  /** Updates that wait for a missing one. */
  waitingUpdates(): ReturnType<MissingUpdates['list']>
  /** Approximate size of all states on disk. */
  sizeBytes(): number
}

export type ApplyResult = 'applied' | 'known' | 'kept'

export interface StoreOptions {
  readonly clock: Clock
  /** Requests a snapshot of a channel. */
  onGap(key: FeedChannelId): void
  /** A channel has changed or was removed. */
  onChange(channelId: string): void
  /** An update has replaced listed segments. */
  onLateCut(key: FeedChannelId): void
}

/** The longest window that an output may have (`window_ms` in the contract), since a window may be lengthened at any time. */
const LONGEST_WINDOW_MS = 300_000
const KEPT_TICKS = keptTicks(ticksOf(LONGEST_WINDOW_MS))

export function createChannelStore(options: StoreOptions): ChannelStore {
  const states = new Map<string, ChannelState>()
  const missing = createMissingUpdates()
  let sizeBytes = 0
  let gone = 0

  const put = (state: ChannelState, nowMs: number) => {
    const { channelId } = state.channel
    const before = states.get(channelId)
    const timeline = isGone(state) ? { ...state.timeline, runs: [] } : dropPast(state.timeline, nowMs)
    sizeBytes += sizeOf(timeline) - sizeOf(before?.timeline)
    gone += Number(isGone(state)) - Number(before !== undefined && isGone(before))
    states.set(channelId, { ...state, timeline })
  }
  const applyOne = (key: FeedChannelId, message: FeedMessage, nowMs: number): ApplyResult => {
    const before = states.get(key.channelId)
    const result = applyUpdate(before, message)
    if (result.kind === 'known') return 'known'
    if (result.kind === 'gap') {
      // A snapshot never has a gap before it.
      if (message.kind === 'change') missing.keep(key, message, nowMs)
      return 'kept'
    }
    if (before !== undefined && isLateCut(before, message, ticksOf(nowMs))) options.onLateCut(key)
    put(result.state, nowMs)
    return 'applied'
  }
  /** Applies the updates that waited for the one just applied. */
  const applyKept = (key: FeedChannelId, nowMs: number) => {
    const last = () => states.get(key.channelId)!
    for (;;) {
      const next = missing.take(key.channelId, last())
      if (next === undefined) break
      applyOne(key, next, nowMs)
    }
    missing.reached(key.channelId, last(), nowMs)
  }

  return {
    find(channelId) {
      const state = states.get(channelId)
      return state === undefined || isGone(state) ? undefined : state
    },
    states: () => states.values(),
    count: () => states.size - gone,
    apply(key, message) {
      const nowMs = options.clock()
      const result = applyOne(key, message, nowMs)
      if (result !== 'applied') return result
      applyKept(key, nowMs)
      options.onChange(key.channelId)
      return result
    },
    listObsolete: (epoch) =>
      [...states.values()]
        .filter((state) => state.epoch < epoch && !isGone(state))
        // Version 0 precedes any update of the channel in that epoch.
        .map(({ channel }) => ({
          kind: 'whole',
          epoch,
          version: 0,
          channel: { ...channel, outputs: [] },
          timeline: emptyPacked,
        })),
    isKnown({ channelId }, message) {
      const state = states.get(channelId)
      return state !== undefined && !isNewer(message, state)
    },
    requestMissing() {
      for (const key of missing.listOverdue(options.clock())) options.onGap(key)
    },
    waiting: missing.count,
    waitingUpdates: missing.list,
    sizeBytes: () => sizeBytes,
  }
}

const isGone = ({ channel }: ChannelState): boolean => channel.outputs.length === 0

const dropPast = (timeline: PackedTimeline, nowMs: number): PackedTimeline =>
  dropPacked(timeline, ticksOf(nowMs) - KEPT_TICKS)

/** Estimated size of an update besides the bytes of its runs: the channel with its outputs, and a row for each run. */
const CHANNEL_BYTES = 600
const RUN_BYTES = 80

function sizeOf(timeline: PackedTimeline | undefined): number {
  if (timeline === undefined) return 0
  return timeline.runs.reduce((sum, { bytes }) => sum + bytes.length + RUN_BYTES, CHANNEL_BYTES)
}
