import type {
  Splice,
  SpliceCommand,
  SpliceDescriptor,
  SpliceInfoSection,
} from '@continuity/core/scte35/section'
import type { Draw } from '@continuity/dev/draw'

export const drawSection = (draw: Draw): SpliceInfoSection => ({
  sapType: draw.one([0, 1, 2, 3]),
  ptsAdjustment: drawBits(draw, 33),
  cwIndex: draw.below(256),
  tier: draw.below(4_096),
  command: drawCommand(draw),
  descriptors: draw.some(0, 3, () => drawDescriptor(draw)),
})

function drawCommand(draw: Draw): SpliceCommand {
  const kind = draw.one([
    'splice_null',
    'bandwidth_reservation',
    'time_signal',
    'splice_insert_cancel',
    'splice_insert',
    'splice_insert',
    'splice_insert',
    'splice_insert',
  ] as const)
  if (kind === 'time_signal') return { kind, ptsTime: drawTime(draw) }
  if (kind === 'splice_insert_cancel') return { kind, eventId: draw.below(2 ** 32) }
  return kind === 'splice_insert' ? drawInsert(draw) : { kind }
}

const drawInsert = (draw: Draw): SpliceCommand => ({
  kind: 'splice_insert',
  eventId: draw.below(2 ** 32),
  isIdCompliant: draw.chance(0.5),
  isOutOfNetwork: draw.chance(0.5),
  splice: drawSplice(draw),
  breakDuration: draw.chance(0.5)
    ? { autoReturn: draw.chance(0.5), durationTicks: drawBits(draw, 33) }
    : null,
  uniqueProgramId: draw.below(2 ** 16),
  availNum: draw.below(256),
  availsExpected: draw.below(256),
})

function drawSplice(draw: Draw): Splice {
  const kind = draw.one([
    'program',
    'program',
    'program_immediate',
    'components',
    'components_immediate',
  ] as const)
  if (kind === 'program') return { kind, ptsTime: drawTime(draw) }
  if (kind === 'program_immediate') return { kind }
  if (kind === 'components_immediate') return { kind, tags: draw.some(1, 3, () => draw.below(256)) }
  return { kind, components: draw.some(1, 3, () => ({ tag: draw.below(256), ptsTime: drawTime(draw) })) }
}

const drawTime = (draw: Draw): number | null => (draw.chance(0.8) ? drawBits(draw, 33) : null)

function drawDescriptor(draw: Draw): SpliceDescriptor {
  const kind = draw.one(['avail', 'segmentation_cancel', 'segmentation', 'unknown'] as const)
  const event = { eventId: draw.below(2 ** 32), isIdCompliant: draw.chance(0.5) }
  const bytes = Uint8Array.from(draw.some(0, 20, () => draw.below(256)))
  if (kind === 'avail') return { kind, providerAvailId: draw.below(2 ** 32) }
  if (kind === 'unknown') return { kind, tag: 1, identifier: 0x4e425543, bytes }
  if (kind === 'segmentation_cancel') return { kind, ...event }
  return {
    kind,
    ...event,
    restrictions: null,
    components: null,
    durationTicks: draw.chance(0.5) ? drawBits(draw, 40) : null,
    upid: { type: draw.below(16), bytes },
    typeId: draw.one([0x10, 0x11, 0x30, 0x31, 0x34, 0x35]),
    segmentNum: draw.below(256),
    segmentsExpected: draw.below(256),
    subSegment: null,
  }
}

/** Combines two random numbers: one has at most 32 bits. */
const drawBits = (draw: Draw, width: number): number =>
  draw.below(2 ** (width - 32)) * 2 ** 32 + draw.below(2 ** 32)
