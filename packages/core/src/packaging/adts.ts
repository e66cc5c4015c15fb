/** A frame of AAC with its header. */
export interface AdtsFrame {
  readonly bytes: Uint8Array
  readonly seconds: number
}

const HEADER_BYTES = 7
const SAMPLES_PER_BLOCK = 1_024
const SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
] as const

/** The ADTS frame that begins at `at`, ISO 13818-7 §6.2; undefined if there is none, or it is truncated. */
export function readAdtsFrame(bytes: Uint8Array, at: number): AdtsFrame | undefined {
  if (at + HEADER_BYTES > bytes.length) return undefined
  const isFrame = bytes[at] === 0xff && (bytes[at + 1]! & 0xf6) === 0xf0
  const rate = SAMPLE_RATES[(bytes[at + 2]! >> 2) & 0x0f]
  const length = ((bytes[at + 3]! & 3) << 11) | (bytes[at + 4]! << 3) | (bytes[at + 5]! >> 5)
  if (!isFrame || rate === undefined || length < HEADER_BYTES || at + length > bytes.length) return undefined
  const blocks = (bytes[at + 6]! & 3) + 1
  return { bytes: bytes.subarray(at, at + length), seconds: (blocks * SAMPLES_PER_BLOCK) / rate }
}
