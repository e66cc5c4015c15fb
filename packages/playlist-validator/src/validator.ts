import { findDifference } from './compare-full.ts'
import type { Report, Violation } from './rules.ts'
import {
  type FetchedPlaylist,
  newValidatorState,
  restart,
  type ValidatorOptions,
  validateMedia,
  validateMultivariant,
} from './validate.ts'

export interface FetchedDelta extends Omit<FetchedPlaylist, 'isDelta'> {
  /** The full playlist of the same instant, to compare with. */
  readonly full?: string
}

/** Validates the successive playlists of one output, as a player would read them. */
export interface PlaylistValidator {
  /** Validates a fetched media playlist; returns its violations. */
  readonly checkMedia: (fetched: FetchedPlaylist) => readonly Violation[]
  /** Merges a delta update with the previous playlist of its rendition and validates the result. */
  readonly checkDelta: (fetched: FetchedDelta) => readonly Violation[]
  readonly checkMultivariant: (text: string, atMs?: number) => readonly Violation[]
  /** Starts a new session after the end of the channel; sequence numbers and IDs still must not repeat. */
  readonly restart: () => void
  /** The first thousand. */
  readonly violations: readonly Violation[]
  readonly count: () => number
}

const MAX_VIOLATIONS = 1_000

export function createPlaylistValidator(options: ValidatorOptions): PlaylistValidator {
  const state = newValidatorState(options)
  const violations: Violation[] = []
  let count = 0

  /** Reports each rule once per text: a fault usually repeats at every segment. */
  const collect = (atMs: number, rendition: string, validate: (report: Report) => void) => {
    const found: Violation[] = []
    validate((rule, detail) => {
      if (!found.some((other) => other.rule === rule)) found.push({ rule, atMs, rendition, detail })
    })
    state.lastAtMs = atMs
    count += found.length
    violations.push(...found.slice(0, MAX_VIOLATIONS - violations.length))
    return found
  }
  return {
    checkMedia: (fetched) =>
      collect(fetched.atMs, fetched.rendition, (report) => validateMedia(state, fetched, report)),
    checkDelta: ({ full, ...fetched }) =>
      collect(fetched.atMs, fetched.rendition, (report) => {
        const rendition = validateMedia(state, { ...fetched, isDelta: true }, report)
        const difference = full === undefined ? undefined : findDifference(rendition, full)
        if (difference !== undefined) report('delta-differs', difference)
      }),
    checkMultivariant: (text, atMs = state.lastAtMs) =>
      collect(atMs, '', (report) => validateMultivariant(state, text, report)),
    restart: () => restart(state),
    violations,
    count: () => count,
  }
}
