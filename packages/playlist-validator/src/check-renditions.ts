import { createMemory, type Memory } from './check-changes.ts'
import type { Ranges } from './date-ranges.ts'
import { isSameSet } from './delta.ts'
import { endOf, ROUNDING_MS, type Segment, seconds } from './playlist.ts'
import type { Report } from './rules.ts'

/** What one rendition listed when it was last read. */
export interface Listed {
  readonly name: string
  readonly window: readonly Segment[]
  readonly target: number | undefined
  readonly ranges: Ranges
  readonly readAtMs: number
  /** When its date ranges changed last. */
  readonly rangesAtMs: number
}

/** EXTINF is compared with the target duration after rounding. */
const ROUNDED_TARGET_MS = 500

/**
 * Compares a rendition that was just read with the others that arrived before it was asked for: it must have all that
 * they had. The reverse would report every segment that was published between the two requests.
 */
export function checkTogether(own: Listed, others: Iterable<Listed>, sentMs: number, report: Report): void {
  const [first, last] = [own.window[0], own.window.at(-1)]
  if (first === undefined || last === undefined) return
  for (const other of others) {
    const [otherFirst, otherLast] = [other.window[0], other.window.at(-1)]
    if (otherFirst === undefined || otherLast === undefined) continue
    if (other.name === own.name || sentMs < other.readAtMs) continue
    if (Number.isNaN(last.startMs) !== Number.isNaN(otherLast.startMs)) {
      const [dated, bare] = Number.isNaN(last.startMs) ? [other, own] : [own, other]
      report('pdt-in-some-renditions', `${dated.name} has EXT-X-PROGRAM-DATE-TIME, ${bare.name} has none`)
      continue
    }
    const target = Math.min(own.target ?? Number.POSITIVE_INFINITY, other.target ?? Number.POSITIVE_INFINITY)
    const limitMs = target * 1_000 + ROUNDED_TARGET_MS
    const behindMs = endOf(otherLast) - endOf(last)
    const headMs = otherFirst.startMs - first.startMs
    if (behindMs > limitMs)
      report('renditions-out-of-step', `it ends ${seconds(behindMs)} before ${other.name}`)
    else if (headMs > limitMs) {
      report('renditions-out-of-step', `it begins ${seconds(headMs)} before ${other.name}`)
    }
    if (sentMs - other.rangesAtMs > limitMs) checkSameRanges(own, other, first, last, report)
  }
}

/** Those that begin in the window: what another rendition announces for later may not be here yet. */
function checkSameRanges(own: Listed, other: Listed, first: Segment, last: Segment, report: Report): void {
  if (own.ranges.size === 0) return
  for (const { id, startMs, attributes } of other.ranges.values()) {
    const range = own.ranges.get(id)
    const isInside = startMs >= first.startMs && startMs < endOf(last)
    if (range === undefined && isInside)
      report('daterange-differs', `${other.name} has ${id}, this playlist has not`)
    for (const [name, value] of range === undefined ? [] : attributes) {
      const here = range?.attributes.get(name)
      if (here !== value)
        report('daterange-differs', `${name} of ${id} is ${here ?? 'missing'}, ${other.name} has ${value}`)
    }
  }
}

/** How far inside a segment a time must be to be in it in every rendition: audio and video are not cut alike. */
const INSIDE_MS = 100

/** The new segments of a rendition have the discontinuity number that another one has at their time. */
export function checkDiscontinuities(
  added: readonly Segment[],
  others: Iterable<Listed>,
  own: string,
  report: Report,
): void {
  for (const { name, window } of others) {
    if (name === own) continue
    for (const segment of added) {
      const middleMs = segment.startMs + segment.durationMs / 2
      const match = segmentAt(window, middleMs)
      if (match === undefined || match.discontinuity === segment.discontinuity) continue
      report(
        'discontinuity-differs',
        `${segment.uri} has discontinuity number ${segment.discontinuity}, ${match.uri} of ${name} has ${match.discontinuity}`,
      )
      return
    }
  }
}

/** Binary search by time. */
function segmentAt(window: readonly Segment[], ms: number): Segment | undefined {
  let [from, to] = [0, window.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (endOf(window[middle]!) <= ms) from = middle + 1
    else to = middle
  }
  const found = window[from]
  if (found === undefined) return undefined
  return ms >= found.startMs + INSIDE_MS && ms <= endOf(found) - INSIDE_MS ? found : undefined
}

/** In our own channels renditions share their sequence numbers. */
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

/** Compares the segments that are new in a rendition with those of the others. House profile only. */
export function checkStep(window: readonly Segment[], own: Memory, shared: Shared, report: Report): void {
  for (const segment of window) {
    const other = shared.segments.recall(segment.sequence)
    if (other === undefined || own.recall(segment.sequence) !== undefined) continue
    const rule = differenceOf(segment, other)
    if (rule !== undefined)
      report(rule, `${segment.sequence} is ${describe(segment)}, elsewhere ${describe(other)}`)
  }
  shared.segments.remember(window)
}

function differenceOf(segment: Segment, other: Segment) {
  if (segment.discontinuity !== other.discontinuity) return 'discontinuity-differs'
  const isApart = Math.abs(segment.startMs - other.startMs) > ROUNDING_MS
  return isApart || segment.durationMs !== other.durationMs ? 'sequences-differ' : undefined
}

const describe = ({ uri, durationMs, startMs, discontinuity }: Segment): string =>
  `${uri} (${durationMs} ms at ${startMs}, discontinuity ${discontinuity})`

/** At one instant all renditions list the same sequence numbers and the same date ranges. House profile only. */
export function checkInstant(now: Instant, shared: Shared, report: Report): void {
  const other = shared.instant
  if (other === undefined || other.atMs !== now.atMs || other.rendition === now.rendition) {
    shared.instant = now
    return
  }
  if (other.first !== now.first || other.last !== now.last) {
    const elsewhere = `${other.rendition} ${other.first} to ${other.last}`
    report('sequences-differ', `${now.first} to ${now.last}, at the same time ${elsewhere}`)
  }
  if (!isSameSet(other.ranges, now.ranges)) {
    report('daterange-differs', `the date ranges are not those of ${other.rendition} at the same time`)
  }
}
