import { seededRandom } from './seeded-random.ts'

/** Random values that are reproducible by a seed. */
export interface Draw {
  /** From 0 to below `end`. */
  below(end: number): number
  chance(share: number): boolean
  one<T>(values: readonly T[]): T
  /** Between `least` and `most` results of `make`. */
  some<T>(least: number, most: number, make: () => T): T[]
}

export function createDraw(seed: number): Draw {
  const random = seededRandom(seed)
  const below = (end: number) => Math.floor(random() * end)
  return {
    below,
    chance: (share) => random() < share,
    one: (values) => values[below(values.length)]!,
    some: (least, most, make) => Array.from({ length: least + below(most - least + 1) }, () => make()),
  }
}
