import { discontinuitiesWithin, type LiveView } from '../timeline/discontinuity.ts'
import { segmentsEndedBy } from '../timeline/span.ts'
import type { Window, WindowPart } from '../timeline/window.ts'
import { endOfPart } from '../timeline/window.ts'

export interface Skipped {
  readonly skipped: number
  readonly parts: readonly WindowPart[]
  /** Discontinuity number of the last skipped segment; undefined if none was skipped. */
  readonly before: number | undefined
}

/** Skips the segments that have ended by a time. */
export function skipSegments({ parts }: Window, ticks: number, live: LiveView): Skipped {
  const at = parts.findIndex((part) => endOfPart(part) > ticks)
  const part = parts[at]!
  const from = Math.max(part.from, segmentsEndedBy(part.span, ticks - part.span.startTicks))
  const left = { ...part, from, discontinuity: numberAt(part, from, live) }
  const before = from > part.from ? numberAt(part, from - 1, live) : numberOfLast(parts[at - 1], live)
  const skipped = part.span.firstSequence + from - (parts[0]!.span.firstSequence + parts[0]!.from)
  return { skipped, parts: [left, ...parts.slice(at + 1)], before }
}

const numberOfLast = (part: WindowPart | undefined, live: LiveView): number | undefined =>
  part === undefined ? undefined : numberAt(part, part.to - 1, live)

const numberAt = ({ span, from, discontinuity }: WindowPart, at: number, live: LiveView): number =>
  discontinuity + discontinuitiesWithin(span, at, live) - discontinuitiesWithin(span, from, live)
