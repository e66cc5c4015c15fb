/** Appends fields of any width, highest bit first. */
export interface BitWriter {
  /** Up to 53 bits. */
  bits(value: number, width: number): void
  flag(value: boolean): void
  /** Up to 7 reserved bits, which are ones. */
  reserved(width: number): void
  bytes(values: ArrayLike<number>): void
  /** Appends the output of another writer, with its faults. Both end at whole bytes. */
  append(other: BitWriter): void
  /** The whole bytes written so far. */
  readonly written: readonly number[]
  /** Whether every value was a whole number that fits its field. */
  fits(): boolean
}

export function openBitWriter(): BitWriter {
  const written: number[] = []
  let partial = 0
  let free = 8
  let isFitting = true

  function bits(value: number, width: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= 2 ** width) isFitting = false
    if (width > 32) low(Math.floor(value / 2 ** 32), width - 32)
    low(value, Math.min(width, 32))
  }

  /** The lowest bits of a value, up to 32, which is the limit of bit operators. */
  function low(value: number, width: number): void {
    let left = width
    while (left > 0) {
      const taken = Math.min(free, left)
      left -= taken
      put((value >>> left) & ((1 << taken) - 1), taken)
    }
  }

  function put(value: number, width: number): void {
    partial = (partial << width) | value
    free -= width
    if (free > 0) return
    written.push(partial)
    partial = 0
    free = 8
  }

  function bytes(values: ArrayLike<number>): void {
    for (let at = 0; at < values.length; at += 1) bits(values[at]!, 8)
  }

  return {
    bits,
    flag: (value) => put(value ? 1 : 0, 1),
    reserved: (width) => low(0xff, width),
    bytes,
    append(other) {
      for (const byte of other.written) written.push(byte)
      isFitting &&= other.fits()
    },
    written,
    fits: () => isFitting,
  }
}
