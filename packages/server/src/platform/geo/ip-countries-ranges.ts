import { UNKNOWN } from './ip-countries-code.ts'

/** Ranges of addresses without gaps, from the lowest address to the highest. */
export interface Ranges {
  /** The code of the range that contains the address. */
  find(words: Uint32Array): number
  /** No range has a country. */
  readonly isEmpty: boolean
  readonly count: number
  readonly bytes: number
}

export interface RangesBuilder {
  /** Adds the range from `start` to `end`, inclusive; returns the fault where that is impossible. */
  add(start: Uint32Array, end: Uint32Array, code: number): string | undefined
  finish(): Ranges
}

/**
 * Collects ranges of addresses of `width` words each.
 *
 * Only the start and the code of a range are stored; it ends where the next one starts. A gap is a range of its own, so
 * one binary search finds either.
 */
export function createRanges(width: 1 | 4): RangesBuilder {
  let starts = new Uint32Array(1_024 * width)
  let codes = new Uint16Array(1_024)
  let count = 0
  const next = new Uint32Array(width) // the lowest address that no range contains yet
  let isFull = false // set when a range has reached the highest address

  const push = (start: Uint32Array, code: number) => {
    if (count > 0 && codes[count - 1] === code) return
    if (count === codes.length) {
      starts = grow(starts, new Uint32Array(starts.length * 2))
      codes = grow(codes, new Uint16Array(codes.length * 2))
    }
    for (let at = 0; at < width; at += 1) starts[count * width + at] = start[at] ?? 0
    codes[count] = code
    count += 1
  }

  return {
    add(start, end, code) {
      if (compare(end, start, 0, width) < 0) return 'ends before it starts'
      if (isFull || compare(start, next, 0, width) < 0) return 'starts before the previous range ends'
      if (compare(start, next, 0, width) > 0) push(next, UNKNOWN)
      push(start, code)
      for (let at = 0; at < width; at += 1) next[at] = end[at] ?? 0
      isFull = !increment(next)
      return undefined
    },
    finish() {
      if (!isFull) push(next, UNKNOWN)
      // Copies, so that the unused capacity is released.
      return search(starts.slice(0, count * width), codes.slice(0, count), width)
    },
  }
}

function search(starts: Uint32Array, codes: Uint16Array, width: number): Ranges {
  return {
    find(words) {
      // The range at `low` starts at or below the address, and the one at `high` above it.
      let low = 0
      let high = codes.length
      while (high - low > 1) {
        const middle = (low + high) >>> 1
        if (compare(words, starts, middle * width, width) < 0) high = middle
        else low = middle
      }
      return codes[low] ?? UNKNOWN
    },
    isEmpty: codes.every((code) => code === UNKNOWN),
    count: codes.length,
    bytes: starts.byteLength + codes.byteLength,
  }
}

/** Negative, 0 or positive as the words are below, equal to or above those of `table` at `offset`. */
function compare(words: Uint32Array, table: Uint32Array, offset: number, width: number): number {
  for (let at = 0; at < width; at += 1) {
    const difference = (words[at] ?? 0) - (table[offset + at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Increments an address; false where it was the highest. */
function increment(words: Uint32Array): boolean {
  for (let at = words.length - 1; at >= 0; at -= 1) {
    words[at] = (words[at] ?? 0) + 1
    if (words[at] !== 0) return true
  }
  return false
}

function grow<T extends Uint32Array | Uint16Array>(from: T, to: T): T {
  to.set(from)
  return to
}
