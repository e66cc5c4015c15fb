/** Finds the first of a sequence of videos that is short enough, in logarithmic time. */
export interface DurationTree {
  /** The first at or after a position with at most this duration; -1 if there is none. */
  findFirst(from: number, mostMs: number): number
  remove(at: number): void
}

/** Each node of the tree has the shortest duration below it; the leaves begin at `size`. */
export function createDurationTree(durationsMs: Float64Array): DurationTree {
  let size = 1
  while (size < durationsMs.length) size *= 2
  const least = new Float64Array(2 * size).fill(Infinity)
  least.set(durationsMs, size)
  for (let node = size - 1; node > 0; node -= 1) {
    least[node] = Math.min(least[2 * node]!, least[2 * node + 1]!)
  }
  return {
    findFirst: (from, mostMs) => {
      if (from >= durationsMs.length) return -1
      let node = from + size
      while (least[node]! > mostMs) {
        // Up to the next subtree on the right; past the last one there is nothing.
        while (node % 2 === 1) node = (node - 1) / 2
        if (node === 0) return -1
        node += 1
      }
      while (node < size) node = least[2 * node]! <= mostMs ? 2 * node : 2 * node + 1
      return node - size
    },
    remove: (at) => {
      let node = at + size
      least[node] = Infinity
      for (node >>= 1; node > 0; node >>= 1) {
        least[node] = Math.min(least[2 * node]!, least[2 * node + 1]!)
      }
    },
  }
}
