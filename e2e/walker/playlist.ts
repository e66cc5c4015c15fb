/** A media playlist as one text says it. */
export interface MediaPlaylist {
  readonly version: number
  /** The lowest version that covers what the text uses. */
  readonly neededVersion: number
  readonly target: number | undefined
  readonly mediaSequence: number | undefined
  readonly discontinuitySequence: number | undefined
  readonly hasType: boolean
  readonly isEnded: boolean
  readonly control: ServerControl | undefined
  readonly skip: Skip | undefined
  /** The lines of the date ranges, as they are: most texts have the same as the one before. */
  readonly ranges: readonly string[]
  readonly segments: readonly ListedSegment[]
}

export interface ListedSegment {
  readonly sequence: number
  readonly uri: string
  readonly durationMs: number
  /** Whether EXT-X-DISCONTINUITY stands before it. */
  readonly isTagged: boolean
  readonly pdtMs: number | undefined
  readonly cues: readonly Cue[]
  readonly neededVersion: number
  /** Its lines; empty where they cannot be taken for the whole of it. */
  readonly block: string
}

/** A segment with its place, which follows from the segments before it. */
export interface Segment extends ListedSegment {
  readonly discontinuity: number
  readonly startMs: number
}

export type Cue =
  | { readonly kind: 'OUT'; readonly durationMs: number }
  | { readonly kind: 'CONT'; readonly elapsedMs: number; readonly durationMs: number }
  | { readonly kind: 'IN' }

export interface ServerControl {
  readonly canSkipUntilMs: number | undefined
  readonly holdBackMs: number | undefined
}

export interface Skip {
  readonly segments: number
  /** Given where date ranges were skipped too. */
  readonly removedRanges: readonly string[] | undefined
}

export const NO_CUES: readonly Cue[] = []

export const endOf = (segment: Segment): number => segment.startMs + segment.durationMs

/** A PROGRAM-DATE-TIME is rounded to whole milliseconds; two of them may differ by that. */
export const ROUNDING_MS = 1.01

/** What is reckoned from two rounded times. */
export const JOIN_MS = 2.01

export const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= JOIN_MS
