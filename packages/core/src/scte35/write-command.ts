import { type BitWriter, openBitWriter } from './bit-writer.ts'
import type { Splice, SpliceCommand, SpliceInsert } from './section.ts'
import { commandTypes } from './syntax.ts'

export function typeOfCommand(command: SpliceCommand): number {
  if (command.kind === 'undecoded') return command.type
  return commandTypes[command.kind === 'splice_insert_cancel' ? 'splice_insert' : command.kind]
}

export function writeCommand(command: SpliceCommand): BitWriter {
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
