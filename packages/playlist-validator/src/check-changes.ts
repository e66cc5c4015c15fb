import { type Cue, type MediaPlaylist, ROUNDING_MS, type Segment, seconds } from './playlist.ts'
import type { Report, Rule } from './rules.ts'

/** The most recently listed segments, with consecutive sequence numbers. */
export interface Memory {
  readonly recall: (sequence: number) => Segment | undefined
  readonly last: () => Segment | undefined
  /** Adds the new segments of a window. Known segments keep their first version. */
  readonly remember: (window: readonly Segment[]) => void
  /** Replaces everything known by a window. */
  readonly replace: (window: readonly Segment[]) => void
}

export function createMemory(): Memory {
  let known: Segment[] = []

  const recall = (sequence: number): Segment | undefined => {
    const first = known[0]
    return first === undefined ? undefined : known[sequence - first.sequence]
  }
  const replace = (window: readonly Segment[]): void => {
    known = [...window]
  }
  const remember = (window: readonly Segment[]): void => {
    const [first, last] = [window[0], known.at(-1)]
    if (first === undefined) return
    if (last === undefined || first.sequence > last.sequence + 1 || first.sequence < known[0]!.sequence) {
      replace(window)
      return
    }
    for (let at = last.sequence + 1 - first.sequence; at < window.length; at++) known.push(window[at]!)
    // Two extra windows, so that a rendition fetched later than the others still finds its segments.
    const spare = known.length - 3 * window.length
    if (spare > window.length) known.splice(0, spare)
  }
  return { recall, last: () => known.at(-1), remember, replace }
}

/** What is known of a playlist from its earlier texts. */
export interface Past {
  readonly memory: Memory
  /** The highest sequence number that a window began with. */
  readonly highestFirst: number | undefined
  readonly window: readonly Segment[]
}

/** Compares a window with the previous one: segments may leave at the head and be added at the end, nothing else. */
export function checkNumbers(
  window: readonly Segment[],
  playlist: MediaPlaylist,
  { memory, highestFirst, window: before }: Past,
  isHouse: boolean,
  report: Report,
): void {
  const [first, last, known] = [window[0], window.at(-1), memory.last()]
  if (first === undefined || last === undefined || known === undefined) return
  const removed = countRemoved(window, before)
  if (removed > 0 && first.sequence === before[0]?.sequence) {
    const isMissing = playlist.mediaSequence === undefined
    const now = isMissing
      ? 'there is no EXT-X-MEDIA-SEQUENCE'
      : `EXT-X-MEDIA-SEQUENCE is still ${first.sequence}`
    const was = `the first segment, ${first.uri}, was number ${first.sequence + removed}`
    report(isMissing ? 'media-sequence-missing' : 'media-sequence-wrong', `${now}, ${was}`)
    return
  }
  if (highestFirst !== undefined && first.sequence < highestFirst) {
    report('media-sequence-fell', `EXT-X-MEDIA-SEQUENCE is ${first.sequence}, was ${highestFirst}`)
    return
  }
  if (last.sequence < known.sequence) {
    report(
      'segments-taken-back',
      `the last segment is ${last.sequence}, was ${known.sequence} (${known.uri})`,
    )
  }
  if (first.sequence > known.sequence && first.discontinuity < known.discontinuity) {
    report(
      'discontinuity-sequence-fell',
      `${first.uri} has discontinuity number ${first.discontinuity}, ${known.uri} before it had ${known.discontinuity}`,
    )
  }
  if (!isHouse) checkType(playlist, first, last, before, report)
  checkKnown(window, playlist, memory, isHouse, report)
}

/** How many segments left at the head, by what is listed and not by numbers; 0 if that is not clear. */
function countRemoved(window: readonly Segment[], before: readonly Segment[]): number {
  const [first, oldFirst] = [window[0], before[0]]
  if (first === undefined || oldFirst === undefined || isSameFile(first, oldFirst)) return 0
  const removed = before.findIndex((old) => isSameFile(old, first))
  const isShifted = before.slice(Math.max(0, removed)).every((old, at) => isSameFile(old, window[at]))
  return isShifted ? Math.max(0, removed) : 0
}

const isSameFile = (one: Segment, other: Segment | undefined): boolean =>
  one.uri === other?.uri && one.byteRange === other.byteRange

function checkType(
  { type }: MediaPlaylist,
  first: Segment,
  last: Segment,
  before: readonly Segment[],
  report: Report,
): void {
  const [oldFirst, oldLast] = [before[0], before.at(-1)]
  if (type === undefined || oldFirst === undefined || oldLast === undefined) return
  if (first.sequence > oldFirst.sequence) {
    report('playlist-type', `EXT-X-PLAYLIST-TYPE is ${type}, but ${oldFirst.uri} was removed`)
  } else if (type === 'VOD' && last.sequence > oldLast.sequence) {
    report('playlist-type', `EXT-X-PLAYLIST-TYPE is VOD, but ${last.uri} was added`)
  }
}

/** Stops at the first segment that changed: most of those after it have changed too. */
function checkKnown(
  window: readonly Segment[],
  playlist: MediaPlaylist,
  memory: Memory,
  isHouse: boolean,
  report: Report,
): void {
  for (const [at, segment] of window.entries()) {
    const known = memory.recall(segment.sequence)
    if (known === undefined || known === segment) continue
    const change = changeOf(segment, known, at === 0, playlist, isHouse)
    if (change !== undefined) {
      const [rule, what] = change
      report(rule, `segment ${segment.sequence} ${what}`)
      return
    }
  }
}

function changeOf(
  segment: Segment,
  known: Segment,
  isFirst: boolean,
  playlist: MediaPlaylist,
  isHouse: boolean,
): readonly [rule: Rule, what: string] | undefined {
  const { uri } = segment
  if (uri !== known.uri) return ['uri-changed', `is ${uri}, was ${known.uri}`]
  const has = (now: string, was: string) => `(${uri}) has ${now}, had ${was}`
  if (segment.byteRange !== known.byteRange) {
    return ['uri-changed', has(`the byte range ${segment.byteRange}`, `${known.byteRange}`)]
  }
  if (segment.durationMs !== known.durationMs) {
    return ['duration-changed', has(`EXTINF ${seconds(segment.durationMs)}`, seconds(known.durationMs))]
  }
  if (segment.discontinuity !== known.discontinuity) {
    const rule = isFirst ? 'discontinuity-sequence-wrong' : 'discontinuity-changed'
    const isMissing = playlist.discontinuitySequence === undefined && !isHouse
    const what = has(`discontinuity number ${segment.discontinuity}`, `${known.discontinuity}`)
    return [isMissing ? 'discontinuity-sequence-missing' : rule, what]
  }
  if (segment.key !== known.key)
    return ['key-changed', has(nameOf('EXT-X-KEY', segment.key), known.key ?? 'none')]
  if (segment.map !== known.map)
    return ['map-changed', has(nameOf('EXT-X-MAP', segment.map), known.map ?? 'none')]
  if (hasMoved(segment, known, isHouse)) {
    return ['pdt-changed', has(`the date ${dateOf(segment)}`, dateOf(known))]
  }
  if (isSameCues(segment.cues, known.cues)) return undefined
  return ['cue-changed', has(JSON.stringify(segment.cues), JSON.stringify(known.cues))]
}

const nameOf = (tag: string, value: string | undefined): string =>
  value === undefined ? `no ${tag}` : `${tag} ${value}`

const dateOf = ({ startMs }: Segment): string => new Date(startMs).toISOString()

/**
 * Our own dates are exact: two must be equal, and a computed one may differ by the rounding. Others compute theirs again
 * for every text.
 */
function hasMoved({ pdtMs, startMs }: Segment, known: Segment, isHouse: boolean): boolean {
  const areGiven = pdtMs !== undefined && known.pdtMs !== undefined
  if (areGiven) return isHouse ? pdtMs !== known.pdtMs : Math.abs(pdtMs - known.pdtMs) > ROUNDING_MS
  return isHouse && Math.abs(startMs - known.startMs) > ROUNDING_MS
}

const isSameCues = (one: readonly Cue[], other: readonly Cue[]): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
