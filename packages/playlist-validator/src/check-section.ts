const TABLE_ID = 0xfc
const POLYNOMIAL = 0x04c11db7

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = (value << 1) ^ (value < 0 ? POLYNOMIAL : 0)
  return value
})

/** Whether an attribute is the hexadecimal form of a complete splice_info_section (SCTE 35 §9.6). */
export function isSection(value: string): boolean {
  if (!/^0[xX](?:[0-9A-Fa-f]{2})+$/.test(value)) return false
  const bytes = Buffer.from(value.slice(2), 'hex')
  if (bytes.length < 15 || bytes[0] !== TABLE_ID) return false
  return (bytes.readUInt16BE(1) & 0xfff) === bytes.length - 3 && crcOf(bytes) === 0
}

/** CRC-32/MPEG-2: zero over a section that includes its own CRC. */
export function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc << 8) ^ table[((crc >>> 24) ^ byte) & 0xff]!
  return crc >>> 0
}
