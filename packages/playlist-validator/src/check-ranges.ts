import { isSection } from './check-section.ts'
import { type DateRange, endOfRange, isBack, isBreak } from './date-ranges.ts'
import { endOf, isNear, JOIN_MS, type Segment } from './playlist.ts'
import type { Report } from './rules.ts'

export type Ranges = ReadonlyMap<string, DateRange>

/** Checks the attributes of one range, and whether its end is allowed. */
export function checkForm(range: DateRange, ranges: Ranges, isFullLength: boolean, report: Report): void {
  const { id, attributes, durationMs, plannedMs } = range
  const hasEnd = durationMs !== undefined || attributes.has('END-DATE')
  if (isBreak(range) && (plannedMs === undefined || (!isBack(range) && hasEnd))) {
    report('daterange-out-form', id)
  }
  if (isBack(range) && (durationMs === undefined || !isBreak(range))) report('daterange-in-form', id)
  if (isBack(range) && durationMs !== undefined && plannedMs !== undefined) {
    if (durationMs > plannedMs + JOIN_MS) report('daterange-in-form', `${id} is longer than planned`)
    else if (isFullLength && !isNear(durationMs, plannedMs) && !isFollowed(range, ranges)) {
      report('break-cut-short', id)
    }
  }
  for (const [name, value] of attributes) {
    if (name.startsWith('SCTE35-') && !isSection(value)) report('scte35-undecodable', `${name} of ${id}`)
  }
}

/** Breaks never overlap, so the second ends the first. */
const isFollowed = (range: DateRange, ranges: Ranges): boolean =>
  [...ranges.values()].some(({ startMs }) => isNear(startMs, endOfRange(range)))

/** Checks the ranges of the previous playlist that changed or were removed. */
export function checkKept(now: Ranges, before: Ranges, window: readonly Segment[], report: Report): void {
  for (const old of before.values()) {
    const range = now.get(old.id)
    if (range === undefined) checkRemoved(old, window, report)
    else if (range.startMs === old.startMs) checkSame(range, old, report)
  }
}

function checkRemoved(range: DateRange, window: readonly Segment[], report: Report): void {
  const [first, last] = [window[0], window.at(-1)]
  if (first === undefined || last === undefined) return
  if (range.startMs < endOf(last) - JOIN_MS && endOfRange(range) > first.startMs + JOIN_MS) {
    report('daterange-removed', range.id)
  }
}

function checkSame(range: DateRange, old: DateRange, report: Report): void {
  for (const [name, value] of old.attributes) {
    const now = range.attributes.get(name)
    if (now !== value) report('daterange-changed', `${name} of ${range.id} is ${now}, was ${value}`)
  }
}

/** Whether a break and its end are announced in time; `listed` is the last segment of the previous playlist. */
export function checkNotice(now: Ranges, before: Ranges, listed: Segment | undefined, report: Report): void {
  if (listed === undefined) return
  for (const range of now.values()) {
    const old = before.get(range.id)
    if (isBreak(range) && (old === undefined || !isBreak(old)) && endOf(listed) >= range.startMs - JOIN_MS) {
      report('daterange-out-late', `${range.id}, ${endOf(listed) - range.startMs} ms after its start`)
    }
    if (isBack(range) && old !== undefined && !isBack(old) && beginsAfter(listed, range)) {
      report('daterange-in-late', range.id)
    }
  }
}

const beginsAfter = ({ startMs }: Segment, range: DateRange): boolean =>
  startMs >= endOfRange(range) - JOIN_MS

/**
 * Checks that ranges begin and end at segment boundaries of the window.
 *
 * A break that is announced at full length may end inside a segment: the channel returned earlier, at other
 * boundaries.
 */
export function checkBoundaries(
  now: Ranges,
  window: readonly Segment[],
  isFullLength: boolean,
  report: Report,
): void {
  const [first, last] = [window[0], window.at(-1)]
  if (first === undefined || last === undefined) return
  const [fromMs, untilMs] = [first.startMs - JOIN_MS, endOf(last) + JOIN_MS]
  const isOff = (ms: number) =>
    ms >= fromMs &&
    ms <= untilMs &&
    !isNear(ms, endOf(last)) &&
    !window.some(({ startMs }) => isNear(startMs, ms))
  for (const range of now.values()) {
    if (isOff(range.startMs)) report('daterange-off-boundary', `${range.id} begins inside a segment`)
    if (isBack(range) && !isFullLength && isOff(endOfRange(range))) {
      report('daterange-off-boundary', `${range.id} ends inside a segment`)
    }
    if (isBreak(range) && !isBack(range) && beginsAfter(last, range)) report('daterange-in-missing', range.id)
  }
}
