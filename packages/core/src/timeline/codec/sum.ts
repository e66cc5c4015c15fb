import { crc32 } from '../../scte35/crc32.ts'
import type { ByteWriter } from './bytes.ts'

const SUM_BYTES = 4

/** Writes the checksum of everything written so far. */
export function writeSum(writer: ByteWriter): void {
  const sum = crc32(writer.written())
  writer.bytes(Uint8Array.of(sum >>> 24, sum >>> 16, sum >>> 8, sum))
}

/** The bytes before the checksum; undefined if the checksum does not match. */
export function readSummed(bytes: Uint8Array): Uint8Array | undefined {
  const body = bytes.subarray(0, Math.max(0, bytes.length - SUM_BYTES))
  const sum = crc32(body)
  const kept = bytes.subarray(body.length)
  const isWhole =
    kept.length === SUM_BYTES && kept.every((byte, at) => byte === ((sum >>> (24 - 8 * at)) & 0xff))
  return isWhole ? body : undefined
}
