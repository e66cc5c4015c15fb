import type { Report } from './rules.ts'

/** A media playlist as parsed from one text. */
export interface MediaPlaylist {
  readonly version: number
  /** The lowest version that covers the features used. */
  readonly neededVersion: number
  readonly target: number | undefined
  readonly mediaSequence: number | undefined
  readonly discontinuitySequence: number | undefined
  readonly type: 'EVENT' | 'VOD' | undefined
  readonly isEnded: boolean
  readonly control: ServerControl | undefined
  readonly skip: Skip | undefined
  readonly parts: Parts
  /** The unparsed date range lines: most texts have the same ones as the previous text. */
  readonly ranges: readonly string[]
  readonly segments: readonly ListedSegment[]
}

export interface ListedSegment {
  readonly sequence: number
  readonly uri: string
  readonly byteRange: string | undefined
  readonly durationMs: number
  /** Whether EXT-X-DISCONTINUITY precedes it. */
  readonly isTagged: boolean
  readonly pdtMs: number | undefined
  /** The EXT-X-KEY and EXT-X-MAP that apply to it. */
  readonly key: string | undefined
  readonly map: string | undefined
  readonly cues: readonly Cue[]
  readonly neededVersion: number
  /** Its lines; empty if they do not describe it completely. */
  readonly block: string
}

/** A segment with the values that follow from the segments before it. */
export interface Segment extends ListedSegment {
  readonly discontinuity: number
  /** NaN if no date in the playlist tells. */
  readonly startMs: number
}

export type Cue =
  | { readonly kind: 'OUT'; readonly durationMs: number }
  | { readonly kind: 'CONT'; readonly elapsedMs: number; readonly durationMs: number }
  | { readonly kind: 'IN' }

export interface ServerControl {
  readonly canSkipUntilMs: number | undefined
  readonly holdBackMs: number | undefined
  readonly partHoldBackMs: number | undefined
}

export interface Skip {
  readonly segments: number
  /** Present if date ranges were skipped too. */
  readonly removedRanges: readonly string[] | undefined
}

/** Partial segments of low latency HLS. */
export interface Parts {
  readonly targetMs: number | undefined
  /** The longest of them. */
  readonly longestMs: number
  readonly hasAny: boolean
}

export const NO_CUES: readonly Cue[] = []

export const endOf = (segment: Segment): number => segment.startMs + segment.durationMs

/** A PROGRAM-DATE-TIME is rounded to milliseconds; two of them may differ by this much. */
export const ROUNDING_MS = 1.01

/** Tolerance for values computed from two rounded times. */
export const JOIN_MS = 2.01

export const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= JOIN_MS

/** What a viewer does not notice, and what encoders that take dates from a clock stay below. */
const DRIFT_MS = 250
/** rfc8216bis §6.2.1 permits overlaps of less than a second. */
const OVERLAP_MS = 1_000

/** What precedes the first segment: the segments that a delta update skipped, or only the header. */
export interface Origin {
  readonly discontinuity: number
  readonly before: Segment | undefined
}

/**
 * Computes the discontinuity number and start time of every segment.
 *
 * RFC 8216 §6.2.1: the number is EXT-X-DISCONTINUITY-SEQUENCE plus the tags up to the segment. So a tag before the first
 * segment of the window is equivalent to no tag and a number that is one higher.
 */
export function placeSegments(
  listed: readonly ListedSegment[],
  { discontinuity, before }: Origin,
  isHouse: boolean,
  report: Report,
): readonly Segment[] {
  const placed: Segment[] = []
  const startAfter = isHouse ? startInHouse : createClock(report)
  let [number, last] = [discontinuity, before]
  for (const segment of listed) {
    if (segment.isTagged) number++
    const startMs =
      last === undefined ? startOfFirst(listed, isHouse, report) : startAfter(segment, last, report)
    if (isHouse && Number.isNaN(startMs)) return []
    last = isPlaced(segment, number, startMs) ? segment : { ...segment, discontinuity: number, startMs }
    placed.push(last)
  }
  return placed
}

/** Whether a segment was taken from an earlier text and has not moved. */
const isPlaced = (segment: ListedSegment | Segment, number: number, startMs: number): segment is Segment =>
  'startMs' in segment &&
  segment.discontinuity === number &&
  (Math.abs(segment.startMs - startMs) <= ROUNDING_MS || Object.is(segment.startMs, startMs))

/** RFC 8216 §6.3.3: a later date applies to the segments before it, up to a discontinuity. */
function startOfFirst(listed: readonly ListedSegment[], isHouse: boolean, report: Report): number {
  const [first] = listed
  if (first?.pdtMs !== undefined) return first.pdtMs
  if (isHouse) {
    report('pdt-missing', `the first segment, ${first?.uri}, has no EXT-X-PROGRAM-DATE-TIME`)
    return Number.NaN
  }
  let durationMs = 0
  for (const [at, segment] of listed.entries()) {
    if (at > 0 && segment.isTagged) break
    if (segment.pdtMs !== undefined) return segment.pdtMs - durationMs
    durationMs += segment.durationMs
  }
  return Number.NaN
}

type StartAfter = (segment: ListedSegment, last: Segment, report: Report) => number

const startInHouse: StartAfter = ({ pdtMs, isTagged, uri }, last, report) => {
  const expectedMs = endOf(last)
  if (pdtMs === undefined) {
    if (isTagged) report('pdt-missing', `${uri} follows EXT-X-DISCONTINUITY and has no date`)
    return expectedMs
  }
  const offMs = pdtMs - expectedMs
  if (pdtMs < last.startMs) report('pdt-overlap', `${uri} begins before the start of ${last.uri}`)
  else if (Math.abs(offMs) > (isTagged ? JOIN_MS : ROUNDING_MS)) {
    report(isTagged ? 'pdt-hole' : 'pdt-drift', `${uri} begins ${offMs} ms after the end of ${last.uri}`)
  }
  return pdtMs
}

/** Follows the dates of a window. Drift is counted from the last date after a discontinuity: it adds up slowly. */
function createClock(report: Report): StartAfter {
  let expectedMs = Number.NaN
  return ({ pdtMs, isTagged, uri, durationMs }, last) => {
    if (Number.isNaN(expectedMs)) expectedMs = endOf(last)
    if (pdtMs === undefined) {
      const startMs = endOf(last)
      if (isTagged && !Number.isNaN(startMs)) {
        report('pdt-missing', `${uri} follows EXT-X-DISCONTINUITY and has no date; the playlist has others`)
      }
      expectedMs += durationMs
      return startMs
    }
    const overlapMs = endOf(last) - pdtMs
    const driftMs = pdtMs - expectedMs
    const isOverlap = overlapMs >= OVERLAP_MS || pdtMs < last.startMs
    const isDrift = !isTagged && Math.abs(driftMs) > DRIFT_MS
    if (isOverlap) {
      report(
        'pdt-overlap',
        `${uri} begins ${seconds(overlapMs)} before the end of ${last.uri}, allowed is 1 s`,
      )
    } else if (isDrift) {
      const off = `${seconds(Math.abs(driftMs))} ${driftMs > 0 ? 'after' : 'before'}`
      report('pdt-drift', `${uri} is dated ${off} the time that the EXTINFs add up to, allowed is 0.25 s`)
    }
    if (isOverlap || isDrift || isTagged || Number.isNaN(expectedMs)) expectedMs = pdtMs
    expectedMs += durationMs
    return pdtMs
  }
}

/** A duration as it is printed: at most milliseconds. */
export const seconds = (ms: number): string => `${Number((ms / 1_000).toFixed(3))} s`
