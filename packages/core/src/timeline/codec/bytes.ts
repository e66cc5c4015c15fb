/** Writes whole numbers in as few bytes as possible, and raw bytes. */
export interface ByteWriter {
  /** From 0 to 2^53 - 1: seven bits per byte, lowest first. */
  count(value: number): void
  bytes(bytes: Uint8Array): void
  written(): Uint8Array
}

export function openByteWriter(): ByteWriter {
  let buffer = new Uint8Array(256)
  let length = 0
  const grow = (by: number) => {
    if (length + by <= buffer.length) return
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + by))
    larger.set(buffer)
    buffer = larger
  }
  return {
    count(value) {
      if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a count`)
      grow(8)
      let rest = value
      while (rest >= 128) {
        buffer[length++] = (rest % 128) + 128
        rest = Math.floor(rest / 128)
      }
      buffer[length++] = rest
    },
    bytes(bytes) {
      grow(bytes.length)
      buffer.set(bytes, length)
      length += bytes.length
    },
    written: () => buffer.slice(0, length),
  }
}

/**
 * Reads what was written. Past the end, it returns zeros and `isCorrupt` is true: callers check it once, at the
 * end.
 */
export interface ByteReader {
  count(): number
  bytes(length: number): Uint8Array
  isCorrupt(): boolean
}

export function openByteReader(source: Uint8Array): ByteReader {
  let at = 0
  let isCorrupt = false
  return {
    count() {
      let value = 0
      for (let factor = 1; at < source.length; factor *= 128) {
        const byte = source[at++]!
        value += (byte % 128) * factor
        if (byte < 128 && Number.isSafeInteger(value)) return value
        if (factor > 2 ** 49) break
      }
      isCorrupt = true
      return 0
    },
    bytes(length) {
      if (at + length > source.length) isCorrupt = true
      at += length
      return source.subarray(at - length, at)
    },
    isCorrupt: () => isCorrupt,
  }
}
