import { type Cue, type ListedSegment, type MediaPlaylist, NO_CUES } from './playlist.ts'
import type { Rule } from './rules.ts'

/** A media playlist while it is parsed, line by line. */
export interface Draft extends Mutable<MediaPlaylist> {
  readonly ranges: string[]
  readonly segments: ListedSegment[]
  /** The tags since the last URI. */
  pending: Pending
  /** The offset of the first of them in the text. */
  blockFrom: number | undefined
  /** The header tags so far. */
  readonly seen: Set<string>
  /** The first fault; parsing stops there. */
  fault: { readonly rule: Rule; readonly detail: string } | undefined
}

type Mutable<T> = { -readonly [name in keyof T]: T[name] }

export interface Pending {
  durationMs: number | undefined
  isTagged: boolean
  pdtMs: number | undefined
  cues: readonly Cue[]
  neededVersion: number
  /** Whether there is a date range among them. */
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

/** The sequence number of the next segment. */
export const nextSequence = ({ mediaSequence, skip, segments }: Draft): number =>
  (mediaSequence ?? 0) + (skip?.segments ?? 0) + segments.length

export function fail(draft: Draft, rule: Rule, detail: string): void {
  draft.fault ??= { rule, detail }
}
