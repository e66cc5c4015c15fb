/**
 * Reads fields of any width, highest bit first.
 *
 * Past the end it reads zeros and sets a flag: so a syntax is read straight through, and the flag is checked
 * once at the end.
 */
export interface BitReader {
  /** Up to 53 bits: no bit operators, which are limited to 32. */
  bits(width: number): number
  flag(): boolean
  skip(width: number): void
  /** A copy, not longer than the rest. */
  bytes(count: number): Uint8Array
  /** Whole bytes left. */
  left(): number
  hasOverrun(): boolean
}

export function openBitReader(source: Uint8Array): BitReader {
  let at = 0 // in bits
  const end = source.length * 8

  function bits(width: number): number {
    let value = 0
    for (let left = width; left > 0; ) {
      const unread = 8 - (at % 8)
      const taken = Math.min(unread, left)
      const byte = source[Math.floor(at / 8)] ?? 0
      value = value * 2 ** taken + ((byte >> (unread - taken)) & (2 ** taken - 1))
      at += taken
      left -= taken
    }
    return value
  }

  return {
    bits,
    flag: () => bits(1) === 1,
    skip(width) {
      at += width
    },
    bytes(count) {
      const start = at / 8
      at += count * 8
      return new Uint8Array(source.subarray(start, start + count))
    },
    left: () => Math.max(0, Math.floor((end - at) / 8)),
    hasOverrun: () => at > end,
  }
}
