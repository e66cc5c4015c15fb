import type { FixedProgram } from './plan-input.ts'
import { type PlanRules, type TimeOfDay, type Weekday, weekdays } from './plan-rules.ts'
import { DAY_MS, dayOf, MINUTE_MS, printDate, type Zone } from './zone-time.ts'

export interface Interval {
  readonly startMs: number
  readonly endMs: number
}

/** A stretch of time that one block, or the default, plans. */
export interface Segment extends Interval {
  /** Index of the block; -1 for the default. */
  readonly block: number
  /** The occurrence of the block that it is part of. */
  readonly occurrence: Interval
}

const FIXED = -2
const DEFAULT = -1

/** A wish for an interval of time. Of several for the same time, the one with the lowest rank wins. */
interface Claim extends Interval {
  readonly block: number
  readonly rank: number
}

/**
 * Divides a range of time between the blocks, by priority, and the default. Fixed programs are left out. What reaches
 * beyond the range is cut.
 */
export function resolveSegments(
  rules: PlanRules,
  zone: Zone,
  range: Interval,
  fixed: readonly FixedProgram[],
): Segment[] {
  const claims: Claim[] = [
    { ...range, block: DEFAULT, rank: Infinity },
    ...fixed.map((each) => ({ startMs: each.start_ms, endMs: each.end_ms, block: FIXED, rank: -1 })),
  ]
  for (const [rank, block] of byPriority(rules).entries()) {
    for (const occurrence of findOccurrences(rules.blocks[block]!, zone, range)) {
      claims.push({ ...occurrence, block, rank })
    }
  }
  return divide(claims, range).filter(({ block }) => block !== FIXED)
}

/** Days, dates and times of day: what recurs. */
interface Recurring {
  readonly days: readonly Weekday[]
  readonly first_date?: string | null
  readonly last_date?: string | null
  readonly times: readonly TimeOfDay[]
}

/** Whole occurrences that overlap with a range. */
export function findOccurrences(recurring: Recurring, zone: Zone, range: Interval): Interval[] {
  const { first_date = null, last_date = null } = recurring
  const found: Interval[] = []
  // A day early, for an occurrence that ends on the next day.
  const firstDayMs = dayOf(zone.localOf(range.startMs)) - DAY_MS
  for (let dayMs = firstDayMs; dayMs <= zone.localOf(range.endMs); dayMs += DAY_MS) {
    if (!recurring.days.includes(weekdayOf(dayMs))) continue
    const date = printDate(dayMs)
    if ((first_date !== null && date < first_date) || (last_date !== null && date > last_date)) continue
    for (const { from, to } of recurring.times) {
      const startMs = zone.momentOf(dayMs + timeMs(from))
      const endMs = zone.momentOf(dayMs + timeMs(to) + (to > from ? 0 : DAY_MS))
      // A clock change may skip all of it.
      if (startMs < endMs && startMs < range.endMs && endMs > range.startMs) found.push({ startMs, endMs })
    }
  }
  return found
}

function byPriority({ blocks }: PlanRules): number[] {
  return blocks
    .map((_, at) => at)
    .toSorted((one, other) => blocks[other]!.priority - blocks[one]!.priority || one - other)
}

/** The winner of each stretch of a range, in sequence. */
function divide(claims: readonly Claim[], range: Interval): Segment[] {
  const waiting = claims.toSorted((one, other) => one.startMs - other.startMs)
  const cuts = [...new Set(claims.flatMap(({ startMs, endMs }) => [startMs, endMs]))].toSorted(
    (a, b) => a - b,
  )
  const segments: Segment[] = []
  let active: Claim[] = []
  let next = 0
  for (const [at, cutMs] of cuts.entries()) {
    active = active.filter(({ endMs }) => endMs > cutMs)
    for (; next < waiting.length && waiting[next]!.startMs <= cutMs; next += 1) active.push(waiting[next]!)
    const startMs = Math.max(cutMs, range.startMs)
    const endMs = Math.min(cuts[at + 1] ?? cutMs, range.endMs)
    if (startMs < endMs) addStretch(segments, { startMs, endMs }, findWinner(active))
  }
  return segments
}

/** Of two occurrences of the same block, the one that began first. */
const findWinner = (active: readonly Claim[]): Claim =>
  active.reduce((best, each) => (each.rank < best.rank ? each : best))

function addStretch(segments: Segment[], { startMs, endMs }: Interval, { block, ...claim }: Claim): void {
  const last = segments.at(-1)
  if (last?.endMs === startMs && last.block === block && last.occurrence.startMs === claim.startMs) {
    segments[segments.length - 1] = { ...last, endMs }
    return
  }
  const occurrence = { startMs: claim.startMs, endMs: claim.endMs }
  segments.push({ startMs, endMs, block, occurrence })
}

/** 1 January 1970 was a Thursday. */
const weekdayOf = (dayMs: number): Weekday => weekdays[(dayMs / DAY_MS + 3) % 7]!

const timeMs = (text: string): number =>
  (Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))) * MINUTE_MS
