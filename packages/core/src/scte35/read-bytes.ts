import { letters } from './print-bytes.ts'

/** A hexadecimal sequence of an attribute list (RFC 8216 §4.2); undefined for anything else. */
export function readHex(text: string): Uint8Array | undefined {
  const digits = /^0x((?:[0-9a-f]{2})+)$/i.exec(text)?.[1]
  if (digits === undefined) return undefined
  return Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16),
  )
}

/** Base64 (RFC 4648 §4), with or without padding; undefined for anything else. */
export function readBase64(text: string): Uint8Array | undefined {
  const digits = /^([A-Za-z0-9+/]*)={0,2}$/.exec(text)?.[1]
  if (digits === undefined || digits.length % 4 === 1) return undefined
  const values = Array.from(digits, (letter) => letters.indexOf(letter))
  return Uint8Array.from({ length: Math.floor((digits.length * 3) / 4) }, (_, at) => {
    const [group, index] = [4 * Math.floor(at / 3), at % 3]
    const value = (offset: number) => values[group + offset] ?? 0
    const bits = (value(0) << 18) | (value(1) << 12) | (value(2) << 6) | value(3)
    return (bits >> (16 - 8 * index)) & 255
  })
}
