import { crc32 } from '../../scte35/crc32.ts'
import type { ByteWriter } from './bytes.ts'

const SUM_BYTES = 4

/** Writes the sum of all that was written so far. */
export function writeSum(writer: ByteWriter): void {
  const sum = crc32(writer.written())
  writer.bytes(Uint8Array.of(sum >>> 24, sum >>> 16, sum >>> 8, sum))
}

/** What stands before the sum; undefined where it is not what was written. */
export function readSummed(bytes: Uint8Array): Uint8Array | undefined {
  const body = bytes.subarray(0, Math.max(0, bytes.length - SUM_BYTES))
  const sum = crc32(body)
  const kept = bytes.subarray(body.length)
  const isWhole =
    kept.length === SUM_BYTES && kept.every((byte, at) => byte === ((sum >>> (24 - 8 * at)) & 0xff))
  return isWhole ? body : undefined
}
