import type { Segment } from './playlist.ts'

/** The segments that were listed last, without a hole in their numbers. */
export interface Memory {
  readonly recall: (sequence: number) => Segment | undefined
  readonly last: () => Segment | undefined
  /** Adds what is new in a window. What is known stays as it was first seen. */
  readonly remember: (window: readonly Segment[]) => void
  /** Takes a window instead of everything that was known. */
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
    // Two windows back, so that a rendition that is asked later than the others still finds its numbers.
    const spare = known.length - 3 * window.length
    if (spare > window.length) known.splice(0, spare)
  }
  return { recall, last: () => known.at(-1), remember, replace }
}
