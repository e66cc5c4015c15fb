import { type Cue, type ListedSegment, type MediaPlaylist, NO_CUES } from './playlist.ts'
import type { Rule } from './rules.ts'

/** A media playlist while it is read, line by line. */
export interface Draft extends Mutable<MediaPlaylist> {
  readonly ranges: string[]
  readonly segments: ListedSegment[]
  /** The tags since the last URI. */
  pending: Pending
  /** Where the first of them stands in the text. */
  blockFrom: number | undefined
  /** The tags of the header so far. */
  readonly seen: Set<string>
  /** The first fault, after which nothing more is read. */
  fault: { readonly rule: Rule; readonly detail: string } | undefined
}

type Mutable<T> = { -readonly [name in keyof T]: T[name] }

export interface Pending {
  durationMs: number | undefined
  isTagged: boolean
  pdtMs: number | undefined
  cues: readonly Cue[]
  neededVersion: number
  /** Whether a date range stands between them. */
  hasRange: boolean
}

export const newPending = (): Pending => ({
  durationMs: undefined,
  isTagged: false,
  pdtMs: undefined,
  cues: NO_CUES,
  neededVersion: 1,
  hasRange: false,
})

export const newDraft = (): Draft => ({
  version: 1,
  neededVersion: 1,
  target: undefined,
  mediaSequence: undefined,
  discontinuitySequence: undefined,
  hasType: false,
  isEnded: false,
  control: undefined,
  skip: undefined,
  ranges: [],
  segments: [],
  pending: newPending(),
  blockFrom: undefined,
  seen: new Set(),
  fault: undefined,
})

/** The number of the segment that comes next. */
export const nextSequence = ({ mediaSequence, skip, segments }: Draft): number =>
  (mediaSequence ?? 0) + (skip?.segments ?? 0) + segments.length

export function fail(draft: Draft, rule: Rule, detail: string): void {
  draft.fault ??= { rule, detail }
}
