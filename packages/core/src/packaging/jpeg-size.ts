/** The size of a JPEG by its frame header (ITU-T T.81, B.2.2). Undefined if these bytes have none. */
export function readJpegSize(
  bytes: Uint8Array,
): { readonly width: number; readonly height: number } | undefined {
  const word = (at: number) => bytes[at]! * 256 + bytes[at + 1]!
  for (let at = 2; at + 9 <= bytes.length; at += 2 + word(at + 2)) {
    if (bytes[at] !== 0xff) return undefined
    if (isFrameHeader(bytes[at + 1]!)) return { width: word(at + 7), height: word(at + 5) }
  }
  return undefined
}

/** SOF0 to SOF15, except three numbers that mean tables. */
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
