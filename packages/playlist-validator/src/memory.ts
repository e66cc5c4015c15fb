import type { Segment } from './playlist.ts'

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
