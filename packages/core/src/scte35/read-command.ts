import type { BitReader } from './bit-reader.ts'
import type { BreakDuration, Splice, SpliceCommand } from './section.ts'
import { commandTypes } from './syntax.ts'

/** Undefined if the command is longer than its bytes. */
export function readCommand(type: number, reader: BitReader): SpliceCommand | undefined {
  const command = readByType(type, reader)
  return reader.hasOverrun() ? undefined : command
}

function readByType(type: number, reader: BitReader): SpliceCommand {
  switch (type) {
    case commandTypes.splice_null:
      return { kind: 'splice_null' }
    case commandTypes.bandwidth_reservation:
      return { kind: 'bandwidth_reservation' }
    case commandTypes.time_signal:
      return { kind: 'time_signal', ptsTime: readTime(reader) }
    case commandTypes.splice_insert:
      return readInsert(reader)
    default:
      return { kind: 'undecoded', type, bytes: reader.bytes(reader.left()) }
  }
}

/** §9.7.3, Table 10. */
function readInsert(reader: BitReader): SpliceCommand {
  const eventId = reader.bits(32)
  const isCancelled = reader.flag()
  reader.skip(7)
  if (isCancelled) return { kind: 'splice_insert_cancel', eventId }
  const isOutOfNetwork = reader.flag()
  const isProgram = reader.flag()
  const hasDuration = reader.flag()
  const isImmediate = reader.flag()
  const isIdCompliant = !reader.flag()
  reader.skip(3)
  return {
    kind: 'splice_insert',
    eventId,
    isIdCompliant,
    isOutOfNetwork,
    splice: isProgram ? readProgramSplice(reader, isImmediate) : readComponentSplice(reader, isImmediate),
    breakDuration: hasDuration ? readBreakDuration(reader) : null,
    uniqueProgramId: reader.bits(16),
    availNum: reader.bits(8),
    availsExpected: reader.bits(8),
  }
}

const readProgramSplice = (reader: BitReader, isImmediate: boolean): Splice =>
  isImmediate ? { kind: 'program_immediate' } : { kind: 'program', ptsTime: readTime(reader) }

function readComponentSplice(reader: BitReader, isImmediate: boolean): Splice {
  const count = reader.bits(8)
  if (isImmediate) return { kind: 'components_immediate', tags: [...reader.bytes(count)] }
  const components = Array.from({ length: count }, () => ({
    tag: reader.bits(8),
    ptsTime: readTime(reader),
  }))
  return { kind: 'components', components }
}

/** §9.8.1, Table 14. */
function readTime(reader: BitReader): number | null {
  const isSpecified = reader.flag()
  reader.skip(isSpecified ? 6 : 7)
  return isSpecified ? reader.bits(33) : null
}

/** §9.8.2, Table 15. */
function readBreakDuration(reader: BitReader): BreakDuration {
  const autoReturn = reader.flag()
  reader.skip(6)
  return { autoReturn, durationTicks: reader.bits(33) }
}
