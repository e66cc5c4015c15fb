import { parseMedia } from './parse-media.ts'
import { placeSegments } from './place-segments.ts'
import { ROUNDING_MS, type Segment } from './playlist.ts'
import { isSameSet } from './range-lines.ts'
import type { Rendition } from './rendition.ts'

/** How a merged delta update differs from the full playlist; faults of the delta itself are reported elsewhere. */
export function findDifference({ window, rangeLines }: Rendition, full: string): string | undefined {
  const silent = () => {}
  const playlist = parseMedia(full, silent, () => undefined)
  if (playlist === undefined) return 'the full playlist cannot be parsed'
  const discontinuity = playlist.discontinuitySequence ?? 0
  const expected = placeSegments(playlist.segments, { discontinuity, before: undefined }, silent)
  if (expected.length !== window.length) return `${window.length} segments for ${expected.length}`
  const at = expected.findIndex((segment, index) => !isSame(segment, window[index]!))
  if (at !== -1) return `${window[at]?.uri} for ${expected[at]?.uri}`
  return isSameSet(rangeLines, playlist.ranges) ? undefined : 'the date ranges differ'
}

const isSame = (one: Segment, other: Segment): boolean =>
  one.sequence === other.sequence &&
  one.uri === other.uri &&
  one.durationMs === other.durationMs &&
  one.discontinuity === other.discontinuity &&
  Math.abs(one.startMs - other.startMs) <= ROUNDING_MS
