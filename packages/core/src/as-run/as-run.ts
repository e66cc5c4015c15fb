import type { Airing } from '../timeline/span.ts'

/** A published segment and its airing: in a live span, fill is a SLATE, and a break an AD_POD. */
export interface AiredSegment {
  readonly startTicks: number
  readonly durationTicks: number
  readonly airing: Airing
  /** Sequence number of the start of its ad break, which distinguishes adjacent breaks. */
  readonly breakSequence: number | null
}

/** One entry of the as-run record: a component from its start to its end. */
export interface AsRunEntry extends Airing {
  readonly breakSequence: number | null
  readonly startTicks: number
  readonly endTicks: number
  readonly segments: number
}

export interface AsRunStep {
  /** The entry that the segment closed; it does not change any more. */
  readonly closed: AsRunEntry | undefined
  readonly open: AsRunEntry
}

/** The as-run record of segments in the order of publication. */
export function asRunOf(segments: Iterable<AiredSegment>): AsRunEntry[] {
  const entries: AsRunEntry[] = []
  let open: AsRunEntry | undefined
  for (const segment of segments) {
    const step = addSegment(open, segment)
    if (step.closed !== undefined) entries.push(step.closed)
    open = step.open
  }
  return open === undefined ? entries : [...entries, open]
}

/**
 * Adds one segment to the record. Only the open entry has to be kept between two segments, so that a record can
 * be continued for years, and by another process.
 *
 * An entry is not cut at midnight: reports decide which day an airing belongs to.
 */
export function addSegment(open: AsRunEntry | undefined, segment: AiredSegment): AsRunStep {
  if (open === undefined || !continuesEntry(open, segment)) return { closed: open, open: begin(segment) }
  const endTicks = open.endTicks + segment.durationTicks
  return { closed: undefined, open: { ...open, endTicks, segments: open.segments + 1 } }
}

const continuesEntry = (open: AsRunEntry, { startTicks, airing, breakSequence }: AiredSegment): boolean =>
  startTicks === open.endTicks &&
  breakSequence === open.breakSequence &&
  airing.program?.id === open.program?.id &&
  airing.component === open.component &&
  airing.type === open.type &&
  airing.referenceId === open.referenceId &&
  airing.title === open.title

function begin({ startTicks, durationTicks, airing, breakSequence }: AiredSegment): AsRunEntry {
  const { program, component, type, referenceId, title } = airing
  const endTicks = startTicks + durationTicks
  return { program, component, type, referenceId, title, breakSequence, startTicks, endTicks, segments: 1 }
}
