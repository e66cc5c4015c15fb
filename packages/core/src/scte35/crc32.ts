const POLYNOMIAL = 0x04c1_1db7

/** The contribution of each byte; in the further tables, if one, two or three bytes follow it. */
const tables = makeTables()

/**
 * CRC-32/MPEG-2 (ISO/IEC 13818-1, Annex A). It is 0 over bytes that end with their own CRC.
 *
 * Four bytes at a time, which takes two fifths of the time: nodes check every message of the feed with it.
 */
export function crc32(bytes: ArrayLike<number>): number {
  const [one, two, three, four] = tables
  let sum = 0xffff_ffff
  let at = 0
  for (; at + 3 < bytes.length; at += 4) {
    sum ^= (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    sum = four[sum >>> 24]! ^ three[(sum >>> 16) & 0xff]! ^ two[(sum >>> 8) & 0xff]! ^ one[sum & 0xff]!
  }
  for (; at < bytes.length; at += 1) sum = (sum << 8) ^ one[(sum >>> 24) ^ bytes[at]!]!
  return sum >>> 0
}

function makeTables(): readonly [Int32Array, Int32Array, Int32Array, Int32Array] {
  const one = Int32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte << 24
    for (let bit = 0; bit < 8; bit += 1) sum = sum < 0 ? (sum << 1) ^ POLYNOMIAL : sum << 1
    return sum
  })
  const after = (table: Int32Array) => table.map((sum) => (sum << 8) ^ one[sum >>> 24]!)
  const two = after(one)
  const three = after(two)
  return [one, two, three, after(three)]
}
