/** A media playlist as parsed from one text. */
export interface MediaPlaylist {
  readonly version: number
  /** The lowest version that covers the features used. */
  readonly neededVersion: number
  readonly target: number | undefined
  readonly mediaSequence: number | undefined
  readonly discontinuitySequence: number | undefined
  readonly hasType: boolean
  readonly isEnded: boolean
  readonly control: ServerControl | undefined
  readonly skip: Skip | undefined
  /** The unparsed date range lines: most texts have the same ones as the previous text. */
  readonly ranges: readonly string[]
  readonly segments: readonly ListedSegment[]
}

export interface ListedSegment {
  readonly sequence: number
  readonly uri: string
  readonly durationMs: number
  /** Whether EXT-X-DISCONTINUITY precedes it. */
  readonly isTagged: boolean
  readonly pdtMs: number | undefined
  readonly cues: readonly Cue[]
  readonly neededVersion: number
  /** Its lines; empty if they do not describe it completely. */
  readonly block: string
}

/** A segment with the values that follow from the segments before it. */
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
  /** Present if date ranges were skipped too. */
  readonly removedRanges: readonly string[] | undefined
}

export const NO_CUES: readonly Cue[] = []

export const endOf = (segment: Segment): number => segment.startMs + segment.durationMs

/** A PROGRAM-DATE-TIME is rounded to milliseconds; two of them may differ by this much. */
export const ROUNDING_MS = 1.01

/** Tolerance for values computed from two rounded times. */
export const JOIN_MS = 2.01

export const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= JOIN_MS
