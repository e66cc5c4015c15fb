import { createMemory, type Memory } from './memory.ts'
import { ROUNDING_MS, type Segment } from './playlist.ts'
import { isSameSet } from './range-lines.ts'
import type { Report } from './rules.ts'

/** State shared by all renditions of an output. */
export interface Shared {
  readonly segments: Memory
  /** The state of the first rendition validated at this instant. */
  instant: Instant | undefined
}

export interface Instant {
  readonly atMs: number
  readonly rendition: string
  readonly first: number | undefined
  readonly last: number | undefined
  readonly ranges: readonly string[]
}

export const newShared = (): Shared => ({ segments: createMemory(), instant: undefined })

/** Compares the segments that are new in a rendition with those of the others: sequence numbers are shared. */
export function checkStep(window: readonly Segment[], own: Memory, shared: Shared, report: Report): void {
  for (const segment of window) {
    const other = shared.segments.recall(segment.sequence)
    if (other === undefined || own.recall(segment.sequence) !== undefined) continue
    const rule = differenceOf(segment, other)
    if (rule !== undefined) report(rule, `${segment.sequence}: ${segment.uri} and ${other.uri}`)
  }
  shared.segments.remember(window)
}

function differenceOf(segment: Segment, other: Segment) {
  if (segment.discontinuity !== other.discontinuity) return 'discontinuity-differs'
  const isApart = Math.abs(segment.startMs - other.startMs) > ROUNDING_MS
  return isApart || segment.durationMs !== other.durationMs ? 'renditions-out-of-step' : undefined
}

/** At one instant all renditions list the same sequence numbers and the same date ranges. */
export function checkInstant(now: Instant, shared: Shared, report: Report): void {
  const other = shared.instant
  if (other === undefined || other.atMs !== now.atMs || other.rendition === now.rendition) {
    shared.instant = now
    return
  }
  if (other.first !== now.first || other.last !== now.last) {
    report('renditions-out-of-step', `${now.first} to ${now.last}, ${other.rendition} differs`)
  }
  if (!isSameSet(other.ranges, now.ranges)) {
    report('daterange-differs', `differ from ${other.rendition}`)
  }
}
