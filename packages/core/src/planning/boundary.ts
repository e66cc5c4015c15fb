import { ticksOf } from '../time/ticks.ts'
import { breakBeginsAt } from '../timeline/breaks.ts'
import { CUT_MARGIN_MS } from '../timeline/cut-margin.ts'
import type { LiveView } from '../timeline/discontinuity.ts'
import {
  endAt,
  findListed,
  findPlaying,
  nextPosition,
  type Position,
  sequenceAt,
  startAt,
} from '../timeline/find.ts'
import type { OnAir } from '../timeline/on-air.ts'
import { applyRun, lastStart, type Run, type Timeline } from '../timeline/run.ts'

/** A point between two segments where a timeline can be cut. */
export interface Boundary {
  readonly sequence: number
  readonly startTicks: number
}

/** More than the number of boundaries between now and the first free one. */
const TRIES = 8

/**
 * Plans the run at the earliest boundary where it can take over: what it changes is listed one cut margin from
 * now at the earliest, so that no cache contains it and every node has received it by then.
 *
 * `plan` makes the run that would begin there. With `fromTicks`, the run begins with the segment that plays
 * then, or later. Undefined if the channel is off the air.
 */
export function planAtBoundary(
  { timeline, nowMs, live }: OnAir,
  fromTicks: number | undefined,
  plan: (boundary: Boundary) => Run,
): Run | undefined {
  let at = firstUnlisted(timeline, nowMs, fromTicks)
  for (let tries = 0; at !== undefined && tries < TRIES; tries += 1, at = nextPosition(timeline, at)) {
    if (!isFree(timeline, at, nowMs, live)) continue
    const run = plan({ sequence: sequenceAt(timeline, at), startTicks: startAt(timeline, at) })
    if (isUnseen(timeline, run, nowMs, live)) return run
  }
  return undefined
}

function firstUnlisted(
  timeline: Timeline,
  nowMs: number,
  fromTicks: number | undefined,
): Position | undefined {
  const last = lastListed(timeline, ticksOf(nowMs))
  const next = last === undefined ? undefined : nextPosition(timeline, last)
  if (next === undefined || fromTicks === undefined) return next
  const wanted = findPlaying(timeline, fromTicks)
  if (wanted === undefined) return undefined
  return sequenceAt(timeline, wanted) > sequenceAt(timeline, next) ? wanted : next
}

/** The pre-roll slate of a channel that is about to start counts as listed. */
function lastListed(timeline: Timeline, ticks: number): Position | undefined {
  return findListed(timeline, Math.max(ticks, lastStart(timeline)?.shownFromTicks ?? 0))
}

/** Whether everything from this segment on can still be replaced. */
const isFree = (timeline: Timeline, at: Position, nowMs: number, live: LiveView): boolean =>
  firstVisible(timeline, at, live) >= ticksOf(nowMs + CUT_MARGIN_MS)

/** Whether no playlist contains anything of a run before every node can have received it. */
export function isUnseen(timeline: Timeline, run: Run, nowMs: number, live: LiveView): boolean {
  const after = applyRun(timeline, run)
  const isGoingOff = run.spans.length === 0
  if (isGoingOff) return run.startTicks >= ticksOf(nowMs + CUT_MARGIN_MS)
  return isFree(after, { run: after.runs.length - 1, span: 0, segment: 0 }, nowMs, live)
}

/**
 * When a playlist first depends on a segment: at its end, or at its start if an ad break is announced with it.
 */
const firstVisible = (timeline: Timeline, at: Position, live: LiveView): number =>
  breakBeginsAt(timeline, at, live) ? startAt(timeline, at) : endAt(timeline, at)
