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

export interface FeedOutput extends Omit<OutputFields, 'audienceSource'> {
  readonly distributor: string
  /** Feeds written before it existed have none: NODES. */
  readonly audienceSource?: OutputFields['audienceSource']
}

/** One update of a channel's feed. */
export type FeedMessage = WholeMessage | ChangeMessage

/** Which update of a channel's feed it is. */
export interface FeedVersion {
  /**
   * Of the database that published it. A restore from a backup begins a new one, so that its versions, which may be
   * lower than those published before, take precedence.
   */
  readonly epoch: number
  /** Counts the updates of one channel, from 1. */
  readonly version: number
}

/** The epoch of a platform that was never restored; updates that were written without an epoch belong to it. */
export const FIRST_EPOCH = 1

/** Whether an update comes after another one of the same channel. */
export const isNewer = (one: FeedVersion, other: FeedVersion): boolean =>
  one.epoch === other.epoch ? one.version > other.version : one.epoch > other.epoch

/** All that counts by now. It stands for itself, whatever came before. */
export interface WholeMessage extends FeedVersion {
  readonly kind: 'whole'
  readonly channel: FeedChannel
  readonly timeline: PackedTimeline
}

/** What has changed since the step before. */
export interface ChangeMessage extends FeedVersion {
  readonly kind: 'change'
  /** Null where nothing of it has changed. */
  readonly channel: FeedChannel | null
  /** Of one commit: the parts of a run are applied together or not at all. */
  readonly runs: readonly PackedRun[]
  readonly settled: readonly Settled[]
}
