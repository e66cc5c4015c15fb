/** The gap between the positions of two videos, for later insertions. */
const STEP = 1_024

/** The range of the column; a first page begins before the lowest position. */
export const BEFORE_POSITIONS = -2_147_483_648
const LAST_POSITION = 2_147_483_647

/**
 * Positions for videos in this order. Videos that keep their order keep their
 * positions: a client that pages through the playlist continues from a position, and
 * would otherwise skip a video after a removal. Without room between two of them, all
 * get new positions.
 */
export function positionsFor(
  videoIds: readonly string[],
  before: ReadonlyMap<string, number>,
): readonly number[] {
  const had = videoIds.map((id) => before.get(id))
  const keeps = longestIncrease(had)
  const positions: number[] = []
  while (positions.length < videoIds.length) {
    const at = positions.length
    const kept = keeps.has(at) ? had[at] : undefined
    if (kept !== undefined) {
      positions.push(kept)
      continue
    }
    const end = had.findIndex((_, other) => other > at && keeps.has(other))
    const count = (end === -1 ? videoIds.length : end) - at
    positions.push(...positionsBetween(positions.at(-1), had[end], count))
  }
  return isIncreasing(positions) ? positions : videoIds.map((_, at) => (at + 1) * STEP)
}

function positionsBetween(
  low: number | undefined,
  high: number | undefined,
  count: number,
): readonly number[] {
  const step = low === undefined || high === undefined ? STEP : (high - low) / (count + 1)
  const from = low ?? (high === undefined ? 0 : high - (count + 1) * STEP)
  return Array.from({ length: count }, (_, at) => from + Math.floor((at + 1) * step))
}

const isIncreasing = (positions: readonly number[]) =>
  positions.every((position, at) => position > (positions[at - 1] ?? BEFORE_POSITIONS)) &&
  (positions.at(-1) ?? 0) <= LAST_POSITION

/** The indexes of a longest increasing subsequence. */
function longestIncrease(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  // For each length, the index at which the subsequence with the lowest end ends; and the predecessor of each index.
  const ends: number[] = []
  const previous = new Map<number, number | undefined>()
  for (const [at, number] of numbers.entries()) {
    if (number === undefined) continue
    const length = countBelow(ends, (end) => numbers[end]! < number)
    previous.set(at, ends[length - 1])
    ends[length] = at
  }
  const increase = new Set<number>()
  for (let at = ends.at(-1); at !== undefined; at = previous.get(at)) increase.add(at)
  return increase
}

/** How many items satisfy the predicate; these come first. */
function countBelow(items: readonly number[], is: (item: number) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (is(items[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
