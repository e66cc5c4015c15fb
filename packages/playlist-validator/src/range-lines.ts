import type { MediaPlaylist } from './playlist.ts'

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
