import type { Media } from '../timeline/media.ts'
import type { WindowedProgram } from '../timeline/span.ts'

/** A program with what it is to show, in order. */
export interface ScheduledProgram {
  readonly program: WindowedProgram
  readonly items: readonly ScheduledItem[]
}

export interface ScheduledItem {
  readonly type: 'VIDEO' | 'INTERSTITIAL' | 'AD_POD'
  /** The video's. */
  readonly referenceId: string | null
  readonly title: string
  /** Null while the video is not READY; an AD_POD never has any. */
  readonly media: Media | null
  readonly declaredTicks: number
}

/** What a channel shows where its items leave time. Slates are packaged in segments of one GOP. */
export interface Slates {
  readonly timeFill: Media
  readonly rescue: Media
  readonly ad: Media
  readonly fillers: readonly Filler[]
}

/** A video that fills a long gap, in segments as those of any other. */
export interface Filler {
  readonly referenceId: string
  readonly title: string
  readonly media: Media
}
