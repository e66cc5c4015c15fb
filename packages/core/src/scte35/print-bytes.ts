/** As a hexadecimal sequence of an attribute list (RFC 8216 §4.2), for SCTE35-OUT and SCTE35-IN. */
export function printHex(bytes: Uint8Array): string {
  let text = '0x'
  for (const byte of bytes) text += hexPairs[byte]
  return text
}

/** As base64 with padding (RFC 4648 §4), for cue tags. */
export function printBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const group = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    text += letters[group >> 18]! + letters[(group >> 12) & 63]!
    text += at + 1 < bytes.length ? letters[(group >> 6) & 63]! : '='
    text += at + 2 < bytes.length ? letters[group & 63]! : '='
  }
  return text
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'))

/** The alphabet of base64, in order. */
export const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
