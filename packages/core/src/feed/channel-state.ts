import { addPacked, type PackedTimeline, settlePacked } from '../timeline/codec/packed.ts'
import { takeOver } from '../timeline/codec/take-over.ts'
import { type FeedChannel, type FeedMessage, type FeedVersion, isNewer } from './feed-message.ts'

/** A channel as a playout node knows it, with the epoch and version of the last update applied. */
export interface ChannelState extends FeedVersion {
  readonly channel: FeedChannel
  readonly timeline: PackedTimeline
}

export type UpdateResult =
  | { readonly kind: 'applied'; readonly state: ChannelState }
  /** This update was applied before. */
  | { readonly kind: 'known' }
  /** Updates before it are missing. */
  | { readonly kind: 'gap' }

/** Applies one update. Received twice or in any order, the updates of a channel lead to the same state. */
export function applyUpdate(state: ChannelState | undefined, message: FeedMessage): UpdateResult {
  if (state !== undefined && !isNewer(message, state)) return { kind: 'known' }
  const { epoch, version } = message
  if (message.kind === 'whole') {
    const isRestored = state !== undefined && epoch > state.epoch
    // After a restore without the stream, the numbers jump: until the new start is shown, the published
    // segments stay listed.
    const timeline = isRestored ? takeOver(state.timeline, message.timeline) : message.timeline
    return { kind: 'applied', state: { epoch, version, channel: message.channel, timeline } }
  }
  if (state === undefined || epoch !== state.epoch || version !== state.version + 1) return { kind: 'gap' }
  const changed = message.runs.reduce(addPacked, state.timeline)
  const timeline = message.settled.reduce(settlePacked, changed)
  return { kind: 'applied', state: { epoch, version, channel: message.channel ?? state.channel, timeline } }
}
