import { type BitReader, openBitReader } from './bit-reader.ts'
import type {
  DeliveryRestrictions,
  SegmentationDescriptor,
  SegmentedComponent,
  SpliceDescriptor,
} from './section.ts'
import { CUEI, descriptorTags, MAX_DESCRIPTOR_LENGTH } from './syntax.ts'

/** Undefined if they do not fill their loop exactly. */
export function readDescriptors(loop: BitReader): readonly SpliceDescriptor[] | undefined {
  const descriptors: SpliceDescriptor[] = []
  while (loop.left() > 0) {
    const tag = loop.bits(8)
    const length = loop.bits(8)
    const identifier = loop.bits(32)
    const bytes = loop.bytes(Math.max(0, length - 4))
    if (length < 4 || length > MAX_DESCRIPTOR_LENGTH || loop.hasOverrun()) return undefined
    const known = identifier === CUEI ? readKnown(tag, bytes) : undefined
    descriptors.push(known ?? { kind: 'unknown', tag, identifier, bytes })
  }
  return descriptors
}

/**
 * A descriptor is known only if it is read to its last byte: one that is too short or too long must not
 * invalidate its command, and keeps its bytes.
 */
function readKnown(tag: number, bytes: Uint8Array): SpliceDescriptor | undefined {
  const reader = openBitReader(bytes)
  const descriptor = readByTag(tag, reader)
  return reader.hasOverrun() || reader.left() > 0 ? undefined : descriptor
}

function readByTag(tag: number, reader: BitReader): SpliceDescriptor | undefined {
  if (tag === descriptorTags.avail) return { kind: 'avail', providerAvailId: reader.bits(32) }
  return tag === descriptorTags.segmentation ? readSegmentation(reader) : undefined
}

/** §10.3.3, Table 20. */
function readSegmentation(reader: BitReader): SpliceDescriptor {
  const eventId = reader.bits(32)
  const isCancelled = reader.flag()
  const isIdCompliant = !reader.flag()
  reader.skip(6)
  if (isCancelled) return { kind: 'segmentation_cancel', eventId, isIdCompliant }
  const isProgram = reader.flag()
  const hasDuration = reader.flag()
  return {
    kind: 'segmentation',
    eventId,
    isIdCompliant,
    restrictions: readRestrictions(reader),
    components: isProgram ? null : readComponents(reader),
    durationTicks: hasDuration ? reader.bits(40) : null,
    upid: { type: reader.bits(8), bytes: reader.bytes(reader.bits(8)) },
    typeId: reader.bits(8),
    segmentNum: reader.bits(8),
    segmentsExpected: reader.bits(8),
    subSegment: readSubSegment(reader),
  }
}

function readRestrictions(reader: BitReader): DeliveryRestrictions | null {
  if (reader.flag()) {
    reader.skip(5)
    return null
  }
  return {
    isWebDeliveryAllowed: reader.flag(),
    hasNoRegionalBlackout: reader.flag(),
    isArchiveAllowed: reader.flag(),
    deviceRestrictions: reader.bits(2) as DeliveryRestrictions['deviceRestrictions'],
  }
}

const readComponents = (reader: BitReader): readonly SegmentedComponent[] =>
  Array.from({ length: reader.bits(8) }, () => {
    const tag = reader.bits(8)
    reader.skip(7)
    return { tag, ptsOffset: reader.bits(33) }
  })

/** Its presence follows from the descriptor's length, not from the segment's type (§10.3.3.1). */
const readSubSegment = (reader: BitReader): SegmentationDescriptor['subSegment'] =>
  reader.left() === 0 ? null : { num: reader.bits(8), expected: reader.bits(8) }
