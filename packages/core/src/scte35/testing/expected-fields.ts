import type { SpliceCommand, SpliceDescriptor, SpliceInfoSection } from '../section.ts'

/**
 * A section with the field names of the other decoder.
 *
 * It does not parse: the SAP type; whether an event's id is compliant; the components of a splice_insert, nor anything
 * after them; the content of an unknown command; any descriptor but the first, and of that one only the tag and the
 * identifier. Those are covered by the examples of the standard in core.
 */
export const expectedFields = ({ command, descriptors, ...section }: SpliceInfoSection) => ({
  tableId: 0xfc,
  selectionSyntaxIndicator: false,
  privateIndicator: false,
  protocolVersion: 0,
  encryptedPacket: false,
  encryptedAlgorithm: 0,
  ptsAdjustment: section.ptsAdjustment,
  cwIndex: section.cwIndex,
  tier: section.tier,
  spliceCommandType: typeOf(command),
  ...fieldsOfCommand(command),
  ...(descriptors[0] === undefined ? {} : { descriptor: [fieldsOfDescriptor(descriptors[0])] }),
})

function typeOf(command: SpliceCommand): number {
  if (command.kind === 'splice_null') return 0
  if (command.kind === 'bandwidth_reservation') return 7
  return command.kind === 'time_signal' ? 6 : 5
}

function fieldsOfCommand(command: SpliceCommand) {
  if (command.kind === 'time_signal') return { spliceCommand: fieldsOfTime(command.ptsTime) }
  if (command.kind === 'splice_insert') return { spliceCommand: fieldsOfInsert(command) }
  if (command.kind !== 'splice_insert_cancel') return {}
  return { spliceCommand: { spliceEventId: command.eventId, spliceEventCancelIndicator: true } }
}

function fieldsOfInsert(insert: Extract<SpliceCommand, { kind: 'splice_insert' }>) {
  const { splice, breakDuration } = insert
  const head = {
    spliceEventId: insert.eventId,
    spliceEventCancelIndicator: false,
    outOfNetworkIndicator: insert.isOutOfNetwork,
    programSpliceFlag: splice.kind === 'program' || splice.kind === 'program_immediate',
    durationFlag: breakDuration !== null,
    spliceImmediateFlag: splice.kind === 'program_immediate' || splice.kind === 'components_immediate',
  }
  if (splice.kind === 'components') return { ...head, componentCount: splice.components.length }
  if (splice.kind === 'components_immediate') return { ...head, componentCount: splice.tags.length }
  return {
    ...head,
    ...(splice.kind === 'program' ? { spliceTime: fieldsOfTime(splice.ptsTime) } : {}),
    ...(breakDuration === null
      ? {}
      : { breakDuration: { autoReturn: breakDuration.autoReturn, duration: breakDuration.durationTicks } }),
    uniqueProgramId: insert.uniqueProgramId,
    available: insert.availNum,
    expected: insert.availsExpected,
  }
}

const fieldsOfTime = (ptsTime: number | null) =>
  ptsTime === null ? { specified: false } : { specified: true, pts: ptsTime }

const fieldsOfDescriptor = (descriptor: SpliceDescriptor) =>
  descriptor.kind === 'unknown'
    ? { spliceDescriptorTag: descriptor.tag, indentifier: textOf(descriptor.identifier) }
    : { spliceDescriptorTag: descriptor.kind === 'avail' ? 0 : 2, indentifier: 'CUEI' }

const textOf = (identifier: number): string => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(identifier)
  return bytes.toString('latin1')
}
