import type { Memory } from './check-changes.ts'
import { parseMedia } from './parse-media.ts'
import {
  type MediaPlaylist,
  placeSegments,
  ROUNDING_MS,
  type Segment,
  type ServerControl,
  type Skip,
  seconds,
} from './playlist.ts'
import type { Report } from './rules.ts'

/** Prepends the segments that a delta update skipped. */
export function mergeDelta(
  playlist: MediaPlaylist,
  skip: Skip,
  memory: Memory,
  offered: ServerControl | undefined,
  isHouse: boolean,
  report: Report,
): readonly Segment[] {
  checkSkip(playlist, offered, report)
  const from = playlist.mediaSequence ?? 0
  const skipped: Segment[] = []
  for (let at = from; at < from + skip.segments; at++) {
    const segment = memory.recall(at)
    if (segment === undefined) break
    skipped.push(segment)
  }
  const [first, before] = [skipped[0], skipped.at(-1)]
  if (skipped.length < skip.segments || first === undefined || before === undefined) {
    report(
      'skip-unmergeable',
      `${skip.segments} segments from ${from} on are skipped, not all of them were listed`,
    )
    return []
  }
  checkFirst(first, playlist.discontinuitySequence, report)
  const origin = { discontinuity: before.discontinuity, before }
  return [...skipped, ...placeSegments(playlist.segments, origin, isHouse, report)]
}

function checkSkip(playlist: MediaPlaylist, offered: ServerControl | undefined, report: Report): void {
  const boundaryMs = (playlist.control ?? offered)?.canSkipUntilMs
  const keptMs = playlist.segments.reduce((sum, { durationMs }) => sum + durationMs, 0)
  if (boundaryMs === undefined) report('skip-not-offered', 'there is EXT-X-SKIP and no CAN-SKIP-UNTIL')
  else if (keptMs < boundaryMs - 1) {
    report('skip-too-recent', `${seconds(keptMs)} are left, must be at least ${seconds(boundaryMs)}`)
  }
}

/** EXT-X-SKIP does not change EXT-X-DISCONTINUITY-SEQUENCE. */
function checkFirst(first: Segment, sequence: number | undefined, report: Report): void {
  const isRight = sequence === first.discontinuity || (first.isTagged && sequence === first.discontinuity - 1)
  if (sequence !== undefined && !isRight) {
    const need = `the first skipped segment, ${first.uri}, has ${first.discontinuity}`
    report('discontinuity-sequence-wrong', `EXT-X-DISCONTINUITY-SEQUENCE is ${sequence}, ${need}`)
  }
}

/** How a merged delta update differs from the full playlist; faults of the delta itself are reported elsewhere. */
export function findDifference(
  { window, rangeLines }: { readonly window: readonly Segment[]; readonly rangeLines: readonly string[] },
  full: string,
  isHouse: boolean,
): string | undefined {
  const playlist = parseMedia(full, { isHouse })
  if (playlist === undefined) return 'the full playlist cannot be parsed'
  const discontinuity = playlist.discontinuitySequence ?? 0
  const expected = placeSegments(playlist.segments, { discontinuity, before: undefined }, isHouse, () => {})
  if (expected.length !== window.length) {
    return `${window.length} segments, the full playlist has ${expected.length}`
  }
  const at = expected.findIndex((segment, index) => !isSameSegment(segment, window[index]!))
  if (at !== -1) return `${window[at]?.uri}, the full playlist has ${expected[at]?.uri}`
  return isSameSet(rangeLines, playlist.ranges)
    ? undefined
    : 'the date ranges are not those of the full playlist'
}

const isSameSegment = (one: Segment, other: Segment): boolean =>
  one.sequence === other.sequence &&
  one.uri === other.uri &&
  one.durationMs === other.durationMs &&
  one.discontinuity === other.discontinuity &&
  !(Math.abs(one.startMs - other.startMs) > ROUNDING_MS)

/** The date ranges of a playlist; ranges that a delta update skipped are taken from the previous playlist. */
export function rangeLinesOf({ ranges, skip }: MediaPlaylist, before: readonly string[]): readonly string[] {
  const removed = skip?.removedRanges
  if (removed === undefined) return isSame(ranges, before) ? before : ranges
  const kept = before.filter((line) => !ranges.includes(line) && !removed.includes(idOf(line)))
  return [...kept, ...ranges]
}

const idOf = (line: string): string => /(?:^|,)ID="([^"]*)"/.exec(line)?.[1] ?? ''

/** Ignores the order: date ranges may appear anywhere. */
export const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  isSame(one, other) || isSame(one.toSorted(), other.toSorted())

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, at) => line === other[at])
