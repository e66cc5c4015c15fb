import { TICKS_PER_MS } from '../media/house-format.ts'
import { msOf, ticksOf } from '../time/ticks.ts'
import type { LiveView } from '../timeline/discontinuity.ts'
import { findPlaying, lastIndexBy, spanAt, startTicksOf } from '../timeline/find.ts'
import type { Timeline } from '../timeline/run.ts'
import { airingOf, shownAt } from '../timeline/shown.ts'
import { type ComponentType, endOfSpan, startOfSegment } from '../timeline/span.ts'

/**
 * What was on the air, as known to a playout node. Title and reference are in the as-run record: in the entry
 * that contains `spanTicks`, and for LIVE in any entry of the program with that type.
 */
export interface WatchedComponent {
  /** Start of its span. */
  readonly spanTicks: number
  readonly type: ComponentType
  /** Null outside of programs. */
  readonly programId: string | null
  /** Index in the program. */
  readonly component: number
}

/** A part of a channel's time, at most a minute, in which one component was on the air; null if nothing was. */
export interface ComponentCell {
  readonly startMs: number
  readonly endMs: number
  readonly minuteMs: number
  readonly component: WatchedComponent | null
}

export const MINUTE_MS = 60_000

/** Used for counts while nothing was on the air. */
export const OFF_AIR: WatchedComponent = { spanTicks: 0, type: 'SLATE', programId: null, component: 0 }

/** The cell that contains a time. Boundaries are rounded down to milliseconds, so that cells have no gaps. */
export function cellAt(timeline: Timeline, atMs: number, live: LiveView): ComponentCell {
  const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS
  const cut = (startMs: number, endMs: number, component: WatchedComponent | null): ComponentCell => ({
    startMs: Math.max(minuteMs, startMs),
    endMs: Math.min(minuteMs + MINUTE_MS, endMs),
    minuteMs,
    component,
  })
  // The last tick of the millisecond: a segment that begins in it owns it.
  const at = findPlaying(timeline, ticksOf(atMs) + TICKS_PER_MS - 1)
  if (at === undefined) return cut(atMs, nextStartMs(timeline, atMs), null)
  const span = spanAt(timeline, at)
  const { program, component, type } = airingOf(span, shownAt(span, at.segment, live.findLog))
  const watched = { spanTicks: span.startTicks, type, programId: program?.id ?? null, component }
  const startMs = msOf(startOfSegment(span, at.segment))
  // The next slot of a live source may contain something else.
  if (span.show.kind === 'live') return cut(startMs, msOf(startOfSegment(span, at.segment + 1)), watched)
  return cut(msOf(span.startTicks), endMsOf(timeline, at.run, msOf(endOfSpan(span))), watched)
}

/** A later run takes over at its start, even if this one is longer. */
function endMsOf({ runs }: Timeline, run: number, endMs: number): number {
  const next = runs[run + 1]
  return next === undefined ? endMs : Math.min(endMs, msOf(next.startTicks))
}

function nextStartMs({ runs }: Timeline, atMs: number): number {
  const next = runs[lastIndexBy(runs, startTicksOf, ticksOf(atMs) + TICKS_PER_MS - 1) + 1]
  return next === undefined ? Number.POSITIVE_INFINITY : msOf(next.startTicks)
}
