import type { OutputFields } from '../channels/output-fields.ts'
import type { HouseFormat } from '../media/house-format.ts'
import type { PackedRun, PackedTimeline } from '../timeline/codec/packed.ts'
import type { Settled } from '../timeline/settle-run.ts'

/** What a playout node needs to know of a channel besides its timeline. */
export interface FeedChannel {
  readonly accountId: string
  readonly channelId: string
  readonly title: string
  readonly description: string
  readonly frameRate: HouseFormat['frameRate']
  readonly segmentMs: HouseFormat['segmentMs']
  /** What guides list time without a program as. Missing in feeds written before it existed, and where there is none. */
  readonly fillerTitle?: string
  /** Empty for a channel that was deleted. */
  readonly outputs: readonly FeedOutput[]
}

export interface FeedOutput extends Omit<OutputFields, 'audienceSource' | 'delayMs'> {
  readonly distributor: string
  /** Missing in feeds written before it existed: NODES. */
  readonly audienceSource?: OutputFields['audienceSource']
  /** Missing in feeds written before it existed: 0. */
  readonly delayMs?: number
}

export const delayOf = ({ delayMs = 0 }: Pick<FeedOutput, 'delayMs'>): number => delayMs

/** One update of a channel's feed. */
export type FeedMessage = SnapshotMessage | DeltaMessage

/** Identifies an update of a channel's feed. */
export interface FeedVersion {
  /**
   * Epoch of the database that published it. A restore from a backup begins a new one, so that its versions,
   * which may be lower than those published before, take precedence.
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

/** The complete state of a channel, independent of earlier updates. */
export interface SnapshotMessage extends FeedVersion {
  readonly kind: 'whole'
  readonly channel: FeedChannel
  readonly timeline: PackedTimeline
}

/** The changes since the previous update. */
export interface DeltaMessage extends FeedVersion {
  readonly kind: 'change'
  /** Null if unchanged. */
  readonly channel: FeedChannel | null
  /** Of one commit: the parts of a run are applied together or not at all. */
  readonly runs: readonly PackedRun[]
  readonly settled: readonly Settled[]
}
