import type { OutputFields } from '../channels/output-fields.ts'
import type { HouseFormat } from '../packaging/house-format.ts'
import type { PackedRun, PackedTimeline } from '../timeline/packed.ts'
import type { Settled } from '../timeline/settle-run.ts'

/** What a playout node has to know of a channel beside its timeline. */
export interface FeedChannel {
  readonly accountId: string
  readonly channelId: string
  readonly title: string
  readonly description: string
  readonly frameRate: HouseFormat['frameRate']
  readonly segmentMs: HouseFormat['segmentMs']
  /** None of a channel that is no more. */
  readonly outputs: readonly FeedOutput[]
}

export interface FeedOutput extends OutputFields {
  readonly distributor: string
}

/** One step of what a channel's feed tells. Steps are counted for each channel, from 1. */
export type FeedMessage = WholeMessage | ChangeMessage

/** All that counts by now. It stands for itself, whatever came before. */
export interface WholeMessage {
  readonly kind: 'whole'
  readonly version: number
  readonly channel: FeedChannel
  readonly timeline: PackedTimeline
}

/** What has changed since the step before. */
export interface ChangeMessage {
  readonly kind: 'change'
  readonly version: number
  /** Null where nothing of it has changed. */
  readonly channel: FeedChannel | null
  /** Of one commit: the parts of a run are applied together or not at all. */
  readonly runs: readonly PackedRun[]
  readonly settled: readonly Settled[]
}
