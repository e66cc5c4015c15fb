import { applyStep, type ChannelState } from '@continuity/core/feed/channel-state'
import { type FeedMessage, isNewer, type WholeMessage } from '@continuity/core/feed/feed-message'
import { ticksOf } from '@continuity/core/time/ticks'
import { emptyPacked, forgetPacked, keptTicks, type PackedTimeline } from '@continuity/core/timeline/packed'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import { isLateCut } from './late-cut.ts'
import { createMissingSteps, type MissingSteps } from './missing-steps.ts'

/** What a node knows of all channels. It is written by `learn` only. */
export interface ChannelStore {
  /** Undefined where there is none, or none any more. */
  find(channelId: string): ChannelState | undefined
  /** Also those that are gone, of which the version is kept: an earlier step must not bring one back. */
  states(): IterableIterator<ChannelState>
  /** Without those that are gone. */
  count(): number
  learn(key: FeedChannelId, message: FeedMessage): Learnt
  /** The feed holds every channel in an epoch: updates that remove those that were last received in an earlier one. */
  listObsolete(epoch: number): readonly WholeMessage[]
  /** Whether `learn` would change nothing. */
  isKnown(key: FeedChannelId, message: FeedMessage): boolean
  /** Asks for what has been missing for too long; to be called about twice a second. */
  askForMissing(): void
  /** Channels that wait for a step. */
  waiting(): number
  /** Steps that wait for one that is missing. */
  waitingSteps(): ReturnType<MissingSteps['list']>
  /** About as many bytes as all states take on disk. */
  sizeBytes(): number
}

export type Learnt = 'applied' | 'known' | 'kept'

export interface StoreOptions {
  readonly clock: Clock
  /** Asks for the whole of a channel. */
  onGap(key: FeedChannelId): void
  /** A channel has changed, or is gone. */
  onChange(channelId: string): void
  /** A step has taken back what was listed. */
  onLateCut(key: FeedChannelId): void
}

/** The longest window that an output may have (`window_ms` in the contract): one may be lengthened at any time. */
const LONGEST_WINDOW_MS = 300_000
const KEPT_TICKS = keptTicks(ticksOf(LONGEST_WINDOW_MS))

export function createChannelStore(options: StoreOptions): ChannelStore {
  const states = new Map<string, ChannelState>()
  const missing = createMissingSteps()
  let sizeBytes = 0
  let gone = 0

  const put = (state: ChannelState, nowMs: number) => {
    const { channelId } = state.channel
    const before = states.get(channelId)
    const timeline = isGone(state) ? { ...state.timeline, runs: [] } : forget(state.timeline, nowMs)
    sizeBytes += sizeOf(timeline) - sizeOf(before?.timeline)
    gone += Number(isGone(state)) - Number(before !== undefined && isGone(before))
    states.set(channelId, { ...state, timeline })
  }
  const applyOne = (key: FeedChannelId, message: FeedMessage, nowMs: number): Learnt => {
    const before = states.get(key.channelId)
    const step = applyStep(before, message)
    if (step.kind === 'known') return 'known'
    if (step.kind === 'gap') {
      // A whole never has a gap before it.
      if (message.kind === 'change') missing.keep(key, message, nowMs)
      return 'kept'
    }
    if (before !== undefined && isLateCut(before, message, ticksOf(nowMs))) options.onLateCut(key)
    put(step.state, nowMs)
    return 'applied'
  }
  /** What was waiting for the step that has just been applied. */
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
    learn(key, message) {
      const nowMs = options.clock()
      const learnt = applyOne(key, message, nowMs)
      if (learnt !== 'applied') return learnt
      applyKept(key, nowMs)
      options.onChange(key.channelId)
      return learnt
    },
    listObsolete: (epoch) =>
      [...states.values()]
        .filter((state) => state.epoch < epoch && !isGone(state))
        // Version 0: whatever the feed holds of the channel in that epoch comes after it.
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
    askForMissing() {
      for (const key of missing.listOverdue(options.clock())) options.onGap(key)
    },
    waiting: missing.count,
    waitingSteps: missing.list,
    sizeBytes: () => sizeBytes,
  }
}

const isGone = ({ channel }: ChannelState): boolean => channel.outputs.length === 0

const forget = (timeline: PackedTimeline, nowMs: number): PackedTimeline =>
  forgetPacked(timeline, ticksOf(nowMs) - KEPT_TICKS)

/** What stands in a step beside the bytes of its runs: the channel with its outputs, and a row for each run. */
const CHANNEL_BYTES = 600
const RUN_BYTES = 80

function sizeOf(timeline: PackedTimeline | undefined): number {
  if (timeline === undefined) return 0
  return timeline.runs.reduce((sum, { bytes }) => sum + bytes.length + RUN_BYTES, CHANNEL_BYTES)
}
