/** CRC-32/MPEG-2 (ISO/IEC 13818-1, Annex A). Over bytes that end with their own CRC it gives 0. */
export function crc32(bytes: ArrayLike<number>): number {
  let crc = 0xffffffff
  for (let at = 0; at < bytes.length; at += 1) {
    crc = (crc << 8) ^ table[(crc >>> 24) ^ bytes[at]!]!
  }
  return crc >>> 0
}

const POLYNOMIAL = 0x04c11db7

const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ POLYNOMIAL : crc << 1
  return crc
})
