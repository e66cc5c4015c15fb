import fc from 'fast-check'
import type { SpliceCommand, SpliceDescriptor, SpliceInfoSection } from '../section.ts'

/** Records without a prototype would differ from what is read. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T>(model, { noNullPrototype: true })

const unsigned = (width: number) => fc.maxSafeNat().map((value) => value % 2 ** width)
const anyByte = unsigned(8)
const anyTwoBits = fc.constantFrom(0, 1, 2, 3)
const anyTime = fc.option(unsigned(33))
const anyBytes = fc.uint8Array({ maxLength: 40 })
const few = { maxLength: 5 }

const anySplice = fc.oneof(
  record({ kind: fc.constant('program_immediate') }),
  record({ kind: fc.constant('program'), ptsTime: anyTime }),
  record({ kind: fc.constant('components_immediate'), tags: fc.array(anyByte, few) }),
  record({
    kind: fc.constant('components'),
    components: fc.array(record({ tag: anyByte, ptsTime: anyTime }), few),
  }),
)

const anyCommand: fc.Arbitrary<SpliceCommand> = fc.oneof(
  record({ kind: fc.constantFrom('splice_null', 'bandwidth_reservation') }),
  record({ kind: fc.constant('time_signal'), ptsTime: anyTime }),
  record({ kind: fc.constant('splice_insert_cancel'), eventId: unsigned(32) }),
  record({ kind: fc.constant('undecoded'), type: fc.constantFrom(4, 9, 0xff), bytes: anyBytes }),
  record({
    kind: fc.constant('splice_insert'),
    eventId: unsigned(32),
    isIdCompliant: fc.boolean(),
    isOutOfNetwork: fc.boolean(),
    splice: anySplice,
    breakDuration: fc.option(record({ autoReturn: fc.boolean(), durationTicks: unsigned(33) })),
    uniqueProgramId: unsigned(16),
    availNum: anyByte,
    availsExpected: anyByte,
  }),
)

const anyRestrictions = record({
  isWebDeliveryAllowed: fc.boolean(),
  hasNoRegionalBlackout: fc.boolean(),
  isArchiveAllowed: fc.boolean(),
  deviceRestrictions: anyTwoBits,
})

const anyDescriptor: fc.Arbitrary<SpliceDescriptor> = fc.oneof(
  record({ kind: fc.constant('avail'), providerAvailId: unsigned(32) }),
  record({
    kind: fc.constant('segmentation_cancel'),
    eventId: unsigned(32),
    isIdCompliant: fc.boolean(),
  }),
  record({
    kind: fc.constant('unknown'),
    tag: fc.constantFrom(1, 3, 4, 0xf0),
    identifier: fc.constantFrom(0x43554549, 0x4e425543),
    bytes: anyBytes,
  }),
  record({
    kind: fc.constant('segmentation'),
    eventId: unsigned(32),
    isIdCompliant: fc.boolean(),
    restrictions: fc.option(anyRestrictions),
    components: fc.option(fc.array(record({ tag: anyByte, ptsOffset: unsigned(33) }), few)),
    durationTicks: fc.option(unsigned(40)),
    upid: record({ type: anyByte, bytes: anyBytes }),
    typeId: anyByte,
    segmentNum: anyByte,
    segmentsExpected: anyByte,
    subSegment: fc.option(record({ num: anyByte, expected: anyByte })),
  }),
)

export const anySection: fc.Arbitrary<SpliceInfoSection> = record({
  sapType: anyTwoBits,
  ptsAdjustment: unsigned(33),
  cwIndex: anyByte,
  tier: unsigned(12),
  command: anyCommand,
  descriptors: fc.array(anyDescriptor, few),
})
