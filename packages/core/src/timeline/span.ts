import { loopOf, type Media, segmentsWithin, ticksBefore } from './media.ts'

/** A stretch of a channel's timeline that plays one thing. */
export interface Span {
  readonly startTicks: number
  readonly segments: number
  readonly firstSequence: number
  /** Discontinuities before its first segment, counted from the first segment of its run. */
  readonly discontinuity: number
  readonly show: Show
  readonly airing: Airing
  /** The ad break that it is a part of; all spans of one break say the same. */
  readonly adBreak: AdBreak | null
}

export type Show = AssetShow | LiveShow

export interface AssetShow {
  readonly kind: 'asset'
  readonly media: Media
  readonly firstSegment: number
  /** From its first segment again after the last, as often as it takes. */
  readonly isLooped: boolean
}

export interface LiveShow {
  readonly kind: 'live'
  readonly sourceId: string
  /** Which slot of the source is the first segment. */
  readonly firstSlot: number
  /** Which slot the channel came to the source with: earlier where this span carries on what another began. */
  readonly joinedSlot: number
  readonly slotTicks: number
  /** What is shown where the source has nothing: the rescue slate, in segments of a slot. */
  readonly fill: Media
}

/** As what something is aired. */
export interface Airing {
  /** Null in time that no program covers. */
  readonly program: Program | null
  /** Its place among the components of the program. */
  readonly component: number
  readonly type: ComponentType
  /** Of the video or the live source; null where a slate is shown. */
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

/** What is scheduled always has an end, unlike an override. */
export interface WindowedProgram extends Program {
  readonly endMs: number
}

/** What a guide tells beyond the title. */
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
  /** The media sequence number that it begins at, which no other break of the channel has. */
  readonly sequence: number
  readonly startTicks: number
  readonly plannedTicks: number
}

/** So many slots that a live span without an end never runs out of them: 218 years. */
export const OPEN_SEGMENTS = 2 ** 31

/** Also when some of them have been shown. */
export const hasNoEnd = ({ segments }: Pick<Span, 'segments'>): boolean => segments > OPEN_SEGMENTS / 2

/** From the beginning of the span to where its segment `at` begins. */
export function offsetOf({ show }: Pick<Span, 'show'>, at: number): number {
  if (show.kind === 'live') return at * show.slotTicks
  if (show.isLooped) return at * loopOf(show.media).segmentTicks
  return ticksBefore(show.media, show.firstSegment + at) - ticksBefore(show.media, show.firstSegment)
}

/** How many segments of the span have ended so many ticks after its beginning. */
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
