import type { Airing } from '../timeline/span.ts'

/** A published segment, and as what it was aired: in a live span the fill is a SLATE, and a break an AD_POD. */
export interface AiredSegment {
  readonly startTicks: number
  readonly durationTicks: number
  readonly airing: Airing
  /** The sequence number that its ad break begins at: breaks that touch are alike in everything else. */
  readonly breakSequence: number | null
}

/** One line of the as-run record: a component from where it began to where it was left. */
export interface AsRunEntry extends Airing {
  readonly breakSequence: number | null
  readonly startTicks: number
  readonly endTicks: number
  readonly segments: number
}

export interface AsRunStep {
  /** What the segment put an end to; nothing more is ever added to it. */
  readonly closed: AsRunEntry | undefined
  readonly open: AsRunEntry
}

/** The as-run record of segments in the order in which they were published. */
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
 * The record, one segment further. The open entry is all that has to be remembered between two segments, so that
 * a channel's record can be carried on for years, and by whichever process comes next.
 *
 * An entry is not cut at midnight: whether an airing belongs to one day or to both is for a report to say.
 */
export function addSegment(open: AsRunEntry | undefined, segment: AiredSegment): AsRunStep {
  if (open === undefined || !goesOn(open, segment)) return { closed: open, open: begin(segment) }
  const endTicks = open.endTicks + segment.durationTicks
  return { closed: undefined, open: { ...open, endTicks, segments: open.segments + 1 } }
}

const goesOn = (open: AsRunEntry, { startTicks, airing, breakSequence }: AiredSegment): boolean =>
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
