/** An id in the format of `newId`, from reproducible numbers. */
export function makeId(atMs: number, random: () => number): string {
  const hex = (digits: number) =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  const time = Math.floor(atMs).toString(16).padStart(12, '0')
  const variant = '89ab'[Math.floor(random() * 4)]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`
}

/** Derives the seed of the n-th item: neighbouring seeds must not give similar numbers. */
export function mixSeed(seed: number, n: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(n + 1, 0xc2b2ae35)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}
