import { loopOf, type Media, segmentsWithin, ticksBefore } from '../media/media.ts'

/** A stretch of a channel's timeline that plays one thing. */
export interface Span {
  readonly startTicks: number
  readonly segments: number
  readonly firstSequence: number
  /** Discontinuities before its first segment, relative to the first segment of its run. */
  readonly discontinuity: number
  readonly show: Show
  readonly airing: Airing
  /** The ad break that it belongs to; the same in all spans of a break. */
  readonly adBreak: AdBreak | null
}

export type Show = AssetShow | LiveShow

export interface AssetShow {
  readonly kind: 'asset'
  readonly media: Media
  readonly firstSegment: number
  /** Restarts at its first segment after the last one. */
  readonly isLooped: boolean
}

export interface LiveShow {
  readonly kind: 'live'
  readonly sourceId: string
  /** The slot of the source that is the first segment. */
  readonly firstSlot: number
  /** The slot at which the channel joined the source: earlier if this span continues another one. */
  readonly joinedSlot: number
  readonly slotTicks: number
  /** Shown where the source has no entry: the rescue slate, in segments of a slot. */
  readonly fill: Media
}

/** How something is aired. */
export interface Airing {
  /** Null outside of programs. */
  readonly program: Program | null
  /** Index among the components of the program. */
  readonly component: number
  readonly type: ComponentType
  /** Of the video or the live source; null for a slate. */
  readonly referenceId: string | null
  readonly title: string
}

export type ComponentType = 'VIDEO' | 'AD_POD' | 'INTERSTITIAL' | 'TIME_FILL' | 'LIVE' | 'SLATE'

export interface Program {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Its window. An override has no end of its own. */
  readonly startMs: number
  readonly endMs: number | null
  readonly details?: ProgramDetails
}

/** A scheduled program always has an end, unlike an override. */
export interface WindowedProgram extends Program {
  readonly endMs: number
}

/** What a guide contains beyond the title. */
export interface ProgramDetails {
  readonly seriesTitle?: string
  readonly episodeTitle?: string
  readonly seasonNumber?: number
  readonly episodeNumber?: number
  readonly genres?: readonly string[]
  readonly imageUrl?: string
  readonly parentalRating?: string
  /** ISO 639, as the partner sent it. */
  readonly language?: string
}

export interface AdBreak {
  /** Media sequence number of its first segment, which is unique in the channel. */
  readonly sequence: number
  readonly startTicks: number
  readonly plannedTicks: number
}

/** Enough slots for a live span without an end: 218 years. */
export const OPEN_SEGMENTS = 2 ** 31

/** Also if some of them have been shown. */
export const hasNoEnd = ({ segments }: Pick<Span, 'segments'>): boolean => segments > OPEN_SEGMENTS / 2

/** From the start of the span to the start of its segment `at`. */
export function offsetOf({ show }: Pick<Span, 'show'>, at: number): number {
  if (show.kind === 'live') return at * show.slotTicks
  if (show.isLooped) return at * loopOf(show.media).segmentTicks
  return ticksBefore(show.media, show.firstSegment + at) - ticksBefore(show.media, show.firstSegment)
}

/** The number of segments of the span that have ended `ticks` after its start. */
export function segmentsEndedBy(span: Pick<Span, 'show' | 'segments'>, ticks: number): number {
  return ticks <= 0 ? 0 : Math.min(span.segments, endedIn(span.show, ticks))
}

function endedIn(show: Show, ticks: number): number {
  if (show.kind === 'live') return Math.floor(ticks / show.slotTicks)
  if (show.isLooped) return Math.floor(ticks / loopOf(show.media).segmentTicks)
  return segmentsWithin(show.media, ticksBefore(show.media, show.firstSegment) + ticks) - show.firstSegment
}

export const startOfSegment = (span: Span, at: number): number => span.startTicks + offsetOf(span, at)

export const endOfSpan = (span: Span): number => span.startTicks + offsetOf(span, span.segments)
