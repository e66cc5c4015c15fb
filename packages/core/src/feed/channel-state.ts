import { addPacked, type PackedTimeline, settlePacked } from '../timeline/packed.ts'
import type { FeedChannel, FeedMessage } from './feed-message.ts'

/** A channel as a playout node knows it. */
export interface ChannelState {
  /** Of the last step of the feed that it has. */
  readonly version: number
  readonly channel: FeedChannel
  readonly timeline: PackedTimeline
}

export type FeedStep =
  | { readonly kind: 'applied'; readonly state: ChannelState }
  /** It has this step already. */
  | { readonly kind: 'known' }
  /** Steps before it are missing. */
  | { readonly kind: 'gap' }

/** One step further. Told twice or in any order, a feed leads to the same state. */
export function applyStep(state: ChannelState | undefined, message: FeedMessage): FeedStep {
  if (state !== undefined && message.version <= state.version) return { kind: 'known' }
  const { version } = message
  if (message.kind === 'whole')
    return { kind: 'applied', state: { version, channel: message.channel, timeline: message.timeline } }
  if (state === undefined || version !== state.version + 1) return { kind: 'gap' }
  const changed = message.runs.reduce(addPacked, state.timeline)
  const timeline = message.settled.reduce(settlePacked, changed)
  return { kind: 'applied', state: { version, channel: message.channel ?? state.channel, timeline } }
}
