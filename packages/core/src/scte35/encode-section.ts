import { type BitWriter, openBitWriter } from './bit-writer.ts'
import { crc32 } from './crc32.ts'
import type { SpliceInfoSection } from './section.ts'
import { MAX_SECTION_LENGTH, TABLE_ID } from './syntax.ts'
import { typeOfCommand, writeCommand } from './write-command.ts'
import { writeDescriptor } from './write-descriptor.ts'

export type EncodeResult =
  | { readonly kind: 'encoded'; readonly bytes: Uint8Array }
  | { readonly kind: 'rejected'; readonly reason: 'does_not_fit' }

/** The bytes of a section. Rejected if a value, or the whole section, does not fit its field. */
export function encodeSection(section: SpliceInfoSection): EncodeResult {
  const writer = writeSection(section)
  if (!writer.fits() || writer.written.length > MAX_SECTION_LENGTH + 3) {
    return { kind: 'rejected', reason: 'does_not_fit' }
  }
  return { kind: 'encoded', bytes: new Uint8Array(writer.written) }
}

/** §9.6, Table 5. */
export function writeSection(section: SpliceInfoSection): BitWriter {
  const body = writeBody(section)
  const writer = openBitWriter()
  writer.bits(TABLE_ID, 8)
  writer.flag(false) // section_syntax_indicator
  writer.flag(false) // private_indicator
  writer.bits(section.sapType, 2)
  writer.bits(body.written.length + 4, 12)
  writer.append(body)
  writer.bits(crc32(writer.written), 32)
  return writer
}

/** Everything between the section's length and its CRC. */
function writeBody(section: SpliceInfoSection): BitWriter {
  const command = writeCommand(section.command)
  const descriptors = openBitWriter()
  for (const descriptor of section.descriptors) descriptors.append(writeDescriptor(descriptor))

  const body = openBitWriter()
  body.bits(0, 8) // protocol_version
  body.flag(false) // encrypted_packet
  body.bits(0, 6) // encryption_algorithm
  body.bits(section.ptsAdjustment, 33)
  body.bits(section.cwIndex, 8)
  body.bits(section.tier, 12)
  body.bits(command.written.length, 12)
  body.bits(typeOfCommand(section.command), 8)
  body.append(command)
  body.bits(descriptors.written.length, 16)
  body.append(descriptors)
  return body
}
