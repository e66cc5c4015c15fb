import { type BitWriter, openBitWriter } from './bit-writer.ts'
import { crc32 } from './crc32.ts'
import type { BreakDuration, Splice, SpliceCommand, SpliceInfoSection, SpliceInsert } from './section.ts'
import { commandTypes, MAX_SECTION_LENGTH, TABLE_ID } from './syntax.ts'
import { writeDescriptor } from './write-descriptor.ts'

/** Origin of a cue (§9.9.3): 0 the network's own program, 4 automation, 6 a person, 12 local replacement. */
export type EventSource = 0 | 4 | 6 | 12

/** Wraps after 28 bits: an id must differ only from those of events that have not ended. */
export const spliceEventId = (source: EventSource, number: number): number =>
  source * EVENT_NUMBERS + (number % EVENT_NUMBERS)

const EVENT_NUMBERS = 2 ** 28

export interface BreakStart {
  /** From `spliceEventId`; the end of the break has the same. */
  readonly eventId: number
  readonly durationTicks: number
  /** Whether the break ends by itself after that time. */
  readonly autoReturn: boolean
}

/**
 * The section that begins an ad break at its position. A break longer than the maximum, 26.5 hours, has the
 * maximum.
 */
export const spliceOut = ({ eventId, durationTicks, autoReturn }: BreakStart): Uint8Array =>
  immediately(eventId, { autoReturn, durationTicks: Math.min(durationTicks, MAX_TICKS) })

const MAX_TICKS = 2 ** 33 - 1

/** The section that ends the ad break at its position, early or at its planned end. */
export const spliceIn = ({ eventId }: { readonly eventId: number }): Uint8Array => immediately(eventId, null)

/**
 * Without a time: the section is in a playlist, whose date gives the time of the splice. A pts_time would refer
 * to the timestamps of the media, which jump at every discontinuity.
 */
function immediately(eventId: number, breakDuration: BreakDuration | null): Uint8Array {
  const section: SpliceInfoSection = {
    sapType: 3,
    ptsAdjustment: 0,
    cwIndex: 0xff,
    tier: 0xfff,
    command: {
      kind: 'splice_insert',
      eventId,
      isIdCompliant: true,
      isOutOfNetwork: breakDuration !== null,
      splice: { kind: 'program_immediate' },
      breakDuration,
      uniqueProgramId: 0,
      availNum: 0,
      availsExpected: 0,
    },
    descriptors: [],
  }
  return new Uint8Array(writeSection(section).written)
}

type EncodeResult =
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
function writeSection(section: SpliceInfoSection): BitWriter {
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

function typeOfCommand(command: SpliceCommand): number {
  if (command.kind === 'undecoded') return command.type
  return commandTypes[command.kind === 'splice_insert_cancel' ? 'splice_insert' : command.kind]
}

function writeCommand(command: SpliceCommand): BitWriter {
  const writer = openBitWriter()
  if (command.kind === 'time_signal') writeTime(writer, command.ptsTime)
  if (command.kind === 'splice_insert_cancel') writeEvent(writer, command.eventId, true)
  if (command.kind === 'splice_insert') writeInsert(writer, command)
  if (command.kind === 'undecoded') writer.bytes(command.bytes)
  return writer
}

/** §9.7.3, Table 10. */
function writeInsert(writer: BitWriter, insert: SpliceInsert): void {
  const { splice, breakDuration } = insert
  writeEvent(writer, insert.eventId, false)
  writer.flag(insert.isOutOfNetwork)
  writer.flag(splice.kind === 'program' || splice.kind === 'program_immediate')
  writer.flag(breakDuration !== null)
  writer.flag(splice.kind === 'program_immediate' || splice.kind === 'components_immediate')
  writer.flag(!insert.isIdCompliant)
  writer.reserved(3)
  writeSplice(writer, splice)
  if (breakDuration !== null) {
    writer.flag(breakDuration.autoReturn)
    writer.reserved(6)
    writer.bits(breakDuration.durationTicks, 33)
  }
  writer.bits(insert.uniqueProgramId, 16)
  writer.bits(insert.availNum, 8)
  writer.bits(insert.availsExpected, 8)
}

function writeEvent(writer: BitWriter, eventId: number, isCancelled: boolean): void {
  writer.bits(eventId, 32)
  writer.flag(isCancelled)
  writer.reserved(7)
}

function writeSplice(writer: BitWriter, splice: Splice): void {
  if (splice.kind === 'program') writeTime(writer, splice.ptsTime)
  if (splice.kind === 'components_immediate') {
    writer.bits(splice.tags.length, 8)
    writer.bytes(splice.tags)
  }
  if (splice.kind === 'components') {
    writer.bits(splice.components.length, 8)
    for (const { tag, ptsTime } of splice.components) {
      writer.bits(tag, 8)
      writeTime(writer, ptsTime)
    }
  }
}

/** §9.8.1, Table 14. */
function writeTime(writer: BitWriter, ptsTime: number | null): void {
  writer.flag(ptsTime !== null)
  writer.reserved(ptsTime === null ? 7 : 6)
  if (ptsTime !== null) writer.bits(ptsTime, 33)
}
