import { type BitWriter, openBitWriter } from './bit-writer.ts'
import type { DeliveryRestrictions, SegmentationDescriptor, SpliceDescriptor } from './section.ts'
import { CUEI, descriptorTags, MAX_DESCRIPTOR_LENGTH } from './syntax.ts'

/** §10.2, Table 17. */
export function writeDescriptor(descriptor: SpliceDescriptor): BitWriter {
  const content = writeContent(descriptor)
  const length = content.written.length + 4
  const writer = openBitWriter()
  writer.bits(tagOf(descriptor), 8)
  // The field has room for one more than allowed, which must not be sent.
  writer.bits(length > MAX_DESCRIPTOR_LENGTH ? Number.NaN : length, 8)
  writer.bits(descriptor.kind === 'unknown' ? descriptor.identifier : CUEI, 32)
  writer.append(content)
  return writer
}

function tagOf(descriptor: SpliceDescriptor): number {
  if (descriptor.kind === 'unknown') return descriptor.tag
  return descriptorTags[descriptor.kind === 'avail' ? 'avail' : 'segmentation']
}

function writeContent(descriptor: SpliceDescriptor): BitWriter {
  const writer = openBitWriter()
  if (descriptor.kind === 'avail') writer.bits(descriptor.providerAvailId, 32)
  if (descriptor.kind === 'unknown') writer.bytes(descriptor.bytes)
  if (descriptor.kind === 'segmentation_cancel') writeEvent(writer, descriptor, true)
  if (descriptor.kind === 'segmentation') writeSegmentation(writer, descriptor)
  return writer
}

/** §10.3.3, Table 20. */
function writeSegmentation(writer: BitWriter, descriptor: SegmentationDescriptor): void {
  writeEvent(writer, descriptor, false)
  writer.flag(descriptor.components === null)
  writer.flag(descriptor.durationTicks !== null)
  writeRestrictions(writer, descriptor.restrictions)
  if (descriptor.components !== null) {
    writer.bits(descriptor.components.length, 8)
    for (const { tag, ptsOffset } of descriptor.components) {
      writer.bits(tag, 8)
      writer.reserved(7)
      writer.bits(ptsOffset, 33)
    }
  }
  if (descriptor.durationTicks !== null) writer.bits(descriptor.durationTicks, 40)
  writer.bits(descriptor.upid.type, 8)
  writer.bits(descriptor.upid.bytes.length, 8)
  writer.bytes(descriptor.upid.bytes)
  writer.bits(descriptor.typeId, 8)
  writer.bits(descriptor.segmentNum, 8)
  writer.bits(descriptor.segmentsExpected, 8)
  if (descriptor.subSegment !== null) {
    writer.bits(descriptor.subSegment.num, 8)
    writer.bits(descriptor.subSegment.expected, 8)
  }
}

function writeEvent(
  writer: BitWriter,
  event: { readonly eventId: number; readonly isIdCompliant: boolean },
  isCancelled: boolean,
): void {
  writer.bits(event.eventId, 32)
  writer.flag(isCancelled)
  writer.flag(!event.isIdCompliant)
  writer.reserved(6)
}

function writeRestrictions(writer: BitWriter, restrictions: DeliveryRestrictions | null): void {
  writer.flag(restrictions === null)
  if (restrictions === null) {
    writer.reserved(5)
    return
  }
  writer.flag(restrictions.isWebDeliveryAllowed)
  writer.flag(restrictions.hasNoRegionalBlackout)
  writer.flag(restrictions.isArchiveAllowed)
  writer.bits(restrictions.deviceRestrictions, 2)
}
