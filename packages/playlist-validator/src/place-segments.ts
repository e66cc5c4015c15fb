import { endOf, JOIN_MS, type ListedSegment, ROUNDING_MS, type Segment } from './playlist.ts'
import type { Report } from './rules.ts'

/** What precedes the first segment: the segments that a delta update skipped, or only the header. */
export interface Origin {
  readonly discontinuity: number
  readonly before: Segment | undefined
}

/**
 * Computes the discontinuity number and start time of every segment.
 *
 * HLS §6.2.1: the number is EXT-X-DISCONTINUITY-SEQUENCE plus the tags up to the segment. So a tag before the first
 * segment of the window is equivalent to no tag and a number that is one higher.
 */
export function placeSegments(
  listed: readonly ListedSegment[],
  { discontinuity, before }: Origin,
  report: Report,
): readonly Segment[] {
  const placed: Segment[] = []
  let [number, last] = [discontinuity, before]
  for (const segment of listed) {
    if (segment.isTagged) number++
    const startMs = last === undefined ? startOfFirst(segment, report) : startAfter(segment, last, report)
    if (startMs === undefined) return []
    last = isPlaced(segment, number, startMs) ? segment : place(segment, number, startMs)
    placed.push(last)
  }
  return placed
}

/** Whether a segment was taken from an earlier text and has not moved. */
const isPlaced = (segment: ListedSegment | Segment, number: number, startMs: number): segment is Segment =>
  'startMs' in segment &&
  segment.discontinuity === number &&
  Math.abs(segment.startMs - startMs) <= ROUNDING_MS

function place(segment: ListedSegment, discontinuity: number, startMs: number): Segment {
  const { sequence, uri, durationMs, isTagged, pdtMs, cues, neededVersion, block } = segment
  return { sequence, uri, durationMs, isTagged, pdtMs, cues, neededVersion, block, discontinuity, startMs }
}

function startOfFirst({ pdtMs, uri }: ListedSegment, report: Report): number | undefined {
  if (pdtMs === undefined) report('pdt-missing', `the first segment, ${uri}`)
  return pdtMs
}

function startAfter({ pdtMs, isTagged, uri }: ListedSegment, last: Segment, report: Report): number {
  const expectedMs = endOf(last)
  if (pdtMs === undefined) {
    if (isTagged) report('pdt-missing', `${uri}, at a discontinuity`)
    return expectedMs
  }
  const offMs = pdtMs - expectedMs
  if (pdtMs < last.startMs) report('appended-out-of-order', `${uri} begins before ${last.uri}`)
  else if (Math.abs(offMs) > (isTagged ? JOIN_MS : ROUNDING_MS)) {
    report(isTagged ? 'pdt-hole' : 'pdt-drift', `${uri} begins ${offMs} ms after the end of ${last.uri}`)
  }
  return pdtMs
}
