import { type BitReader, openBitReader } from './bit-reader.ts'
import { crc32 } from './crc32.ts'
import { readCommand } from './read-command.ts'
import { readDescriptors } from './read-descriptor.ts'
import type { SpliceCommand, SpliceInfoSection } from './section.ts'
import { MAX_SECTION_LENGTH, TABLE_ID, UNSPECIFIED_COMMAND_LENGTH } from './syntax.ts'

export type DecodeResult =
  | { readonly kind: 'section'; readonly section: SpliceInfoSection }
  | { readonly kind: 'rejected'; readonly reason: DecodeFault }

export type DecodeFault =
  /** Fewer bytes than its length states. */
  | 'short'
  | 'unknown_table'
  | 'bad_crc'
  /** A later version of the protocol. */
  | 'unknown_version'
  | 'encrypted'
  /** Valid CRC, but not valid by the standard. */
  | 'malformed'

/** Reads one section at the beginning of the bytes; bytes after it are ignored. */
export function decodeSection(bytes: Uint8Array): DecodeResult {
  if (bytes.length < 3) return rejected('short')
  if (bytes[0] !== TABLE_ID) return rejected('unknown_table')
  const length = 3 + (bytes[1]! & 0x0f) * 256 + bytes[2]!
  if (length < SHORTEST || bytes.length < length) return rejected('short')
  const whole = bytes.subarray(0, length)
  if (crc32(whole) !== 0) return rejected('bad_crc')
  if (length > MAX_SECTION_LENGTH + 3) return rejected('malformed')
  return readSection(openBitReader(whole.subarray(0, -4)))
}

/** A splice_null without descriptors: 14 bytes, the length of its descriptors, and the CRC. */
const SHORTEST = 20

const rejected = (reason: DecodeFault): DecodeResult => ({ kind: 'rejected', reason })

/** §9.6, Table 5. */
function readSection(reader: BitReader): DecodeResult {
  reader.skip(8 + 2) // table_id, section_syntax_indicator, private_indicator
  const sapType = reader.bits(2) as SpliceInfoSection['sapType']
  reader.skip(12) // section_length
  if (reader.bits(8) !== 0) return rejected('unknown_version')
  if (reader.flag()) return rejected('encrypted')
  reader.skip(6) // encryption_algorithm
  const ptsAdjustment = reader.bits(33)
  const cwIndex = reader.bits(8)
  const tier = reader.bits(12)
  const command = readSizedCommand(reader)
  const descriptors = readDescriptors(openBitReader(reader.bytes(reader.bits(16))))
  if (reader.hasOverrun() || command === undefined || descriptors === undefined) return rejected('malformed')
  return { kind: 'section', section: { sapType, ptsAdjustment, cwIndex, tier, command, descriptors } }
}

function readSizedCommand(reader: BitReader): SpliceCommand | undefined {
  const length = reader.bits(12)
  const type = reader.bits(8)
  if (length === UNSPECIFIED_COMMAND_LENGTH) return readCommand(type, reader)
  return readCommand(type, openBitReader(reader.bytes(length)))
}
