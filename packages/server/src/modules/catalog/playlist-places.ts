/** So many places are left free between two videos, for those that come between them later. */
const STEP = 1_024

/** What the column holds; below the lowest is where a first page begins. */
export const BEFORE_PLACES = -2_147_483_648
const LAST_PLACE = 2_147_483_647

/**
 * Places for videos in this order. Those that keep their order keep their
 * places too: whoever reads the playlist goes on from a place, and would else
 * miss a video because another was taken out before it. Where there is no room
 * left between two of them, all get new ones.
 */
export function placesFor(
  videoIds: readonly string[],
  before: ReadonlyMap<string, number>,
): readonly number[] {
  const had = videoIds.map((id) => before.get(id))
  const keeps = longestRise(had)
  const places: number[] = []
  while (places.length < videoIds.length) {
    const at = places.length
    const kept = keeps.has(at) ? had[at] : undefined
    if (kept !== undefined) {
      places.push(kept)
      continue
    }
    const end = had.findIndex((_, other) => other > at && keeps.has(other))
    const count = (end === -1 ? videoIds.length : end) - at
    places.push(...placesBetween(places.at(-1), had[end], count))
  }
  return isRise(places) ? places : videoIds.map((_, at) => (at + 1) * STEP)
}

function placesBetween(low: number | undefined, high: number | undefined, count: number): readonly number[] {
  const step = low === undefined || high === undefined ? STEP : (high - low) / (count + 1)
  const from = low ?? (high === undefined ? 0 : high - (count + 1) * STEP)
  return Array.from({ length: count }, (_, at) => from + Math.floor((at + 1) * step))
}

const isRise = (places: readonly number[]) =>
  places.every((place, at) => place > (places[at - 1] ?? BEFORE_PLACES)) && (places.at(-1) ?? 0) <= LAST_PLACE

/** Where the numbers stand that rise and are as many as can be. */
function longestRise(numbers: readonly (number | undefined)[]): ReadonlySet<number> {
  // Of the rises of each length, where the one stands that ends lowest; and what comes before each.
  const ends: number[] = []
  const previous = new Map<number, number | undefined>()
  for (const [at, number] of numbers.entries()) {
    if (number === undefined) continue
    const length = countBelow(ends, (end) => numbers[end]! < number)
    previous.set(at, ends[length - 1])
    ends[length] = at
  }
  const rise = new Set<number>()
  for (let at = ends.at(-1); at !== undefined; at = previous.get(at)) rise.add(at)
  return rise
}

/** How many are so; those that are come first. */
function countBelow(items: readonly number[], is: (item: number) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (is(items[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
