import type { Media } from '../media/media.ts'
import type { WindowedProgram } from '../timeline/span.ts'

/** A program with its items, in order. */
export interface ScheduledProgram {
  readonly program: WindowedProgram
  readonly items: readonly ScheduledItem[]
}

export interface ScheduledItem {
  readonly type: 'VIDEO' | 'INTERSTITIAL' | 'AD_POD'
  /** Reference id of the video. */
  readonly referenceId: string | null
  readonly title: string
  /** Null while the video is not READY; an AD_POD never has any. */
  readonly media: Media | null
  readonly declaredTicks: number
  /** From where to where its video is shown: exact at cue points, elsewhere at the nearest boundary of segments. */
  readonly inMs?: number
  readonly outMs?: number
}

/** What a channel shows where its items leave a gap. Slates are packaged in segments of one GOP. */
export interface Slates {
  readonly timeFill: Media
  readonly rescue: Media
  readonly ad: Media
  readonly fillers: readonly Filler[]
}

/** A video that fills a long gap, with segments of the usual length. */
export interface Filler {
  readonly referenceId: string
  readonly title: string
  readonly media: Media
}
