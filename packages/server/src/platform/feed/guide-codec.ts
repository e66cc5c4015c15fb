import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, crc32 } from 'node:zlib'
import type { FeedVersion } from '@continuity/core/feed/feed-message'
import { printPlanned, readPlanned } from '@continuity/core/guide/planned-text'
import { openByteReader, openByteWriter } from '@continuity/core/timeline/codec/bytes'
import type { WindowedProgram } from '@continuity/core/timeline/span'

/** The programs of one guide: 14 days of programs of five minutes are 4,032. */
export const GUIDE_PROGRAMS_MAXIMUM = 5_000

/** The text of a guide before it is compressed. Nodes do not decompress more. */
const CHARACTERS_MAXIMUM = 4 * 1024 * 1024
const BYTES_MAXIMUM = 4 * CHARACTERS_MAXIMUM

const FORMAT = 1
const SUM_BYTES = 4

/** The head has three numbers of eight bytes at most. */
export const GUIDE_HEAD_BYTES = 24

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** Halves what deflate would take, at the same time: repeated episodes are further apart than its window. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export interface PackedGuide extends FeedVersion {
  readonly bytes: Uint8Array
  /** The programs that fit. */
  readonly count: number
}

/** A guide as sent and as stored by nodes: version, compressed programs, checksum. */
export async function packGuide(
  { epoch, version }: FeedVersion,
  programs: readonly WindowedProgram[],
): Promise<PackedGuide> {
  const { text, count } = printPlanned(programs.slice(0, GUIDE_PROGRAMS_MAXIMUM), CHARACTERS_MAXIMUM)
  const writer = openByteWriter()
  writer.count(FORMAT)
  writer.count(epoch)
  writer.count(version)
  writer.bytes(await compress(text, COMPRESSION))
  const body = writer.written()
  const sum = Buffer.alloc(SUM_BYTES)
  sum.writeUInt32BE(crc32(body))
  return { epoch, version, count, bytes: Buffer.concat([body, sum]) }
}

/** The version of a guide, from its first bytes; undefined if they are not those of a guide. */
export function readGuideVersion(bytes: Uint8Array): FeedVersion | undefined {
  const reader = openByteReader(bytes)
  const format = reader.count()
  const version = { epoch: reader.count(), version: reader.count() }
  return format === FORMAT && !reader.isCorrupt() ? version : undefined
}

/** Whether no byte differs from what was written. */
export function isGuideIntact(bytes: Uint8Array): boolean {
  if (bytes.length < SUM_BYTES || readGuideVersion(bytes) === undefined) return false
  const body = bytes.subarray(0, -SUM_BYTES)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32BE(body.length) === crc32(body)
}

/** The programs of an intact guide. Decompressed on another thread. */
export async function unpackGuide(bytes: Uint8Array): Promise<readonly WindowedProgram[]> {
  const compressed = bytes.subarray(headLength(bytes), -SUM_BYTES)
  return readPlanned((await decompress(compressed, { maxOutputLength: BYTES_MAXIMUM })).toString())
}

/** Each number ends with its first byte below 128. */
function headLength(bytes: Uint8Array): number {
  let at = 0
  for (let numbers = 0; numbers < 3; at += 1) if (bytes[at]! < 128) numbers += 1
  return at
}
