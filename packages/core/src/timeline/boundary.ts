import { ticksOf } from '../time/ticks.ts'
import { breakBeginsAt } from './breaks.ts'
import type { LiveView } from './discontinuity.ts'
import { endAt, findListed, findPlaying, nextPosition, type Position, sequenceAt, startAt } from './find.ts'
import { GUARD_MS } from './guard.ts'
import type { OnAir } from './on-air.ts'
import { applyRun, lastStart, type Run, type Timeline } from './run.ts'

/** A place between two segments where a timeline can be cut. */
export interface Boundary {
  readonly sequence: number
  readonly startTicks: number
}

/** More boundaries than can lie between now and one that is free. */
const TRIES = 8

/**
 * The earliest place where a run can take over: what it changes is listed a guard from now at the earliest, so that no
 * cache holds it and every node has learnt of it by then.
 *
 * `plan` makes the run that would begin there. With `fromTicks` it begins with the segment that plays then, or later.
 * Undefined where the channel is off the air.
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

/** Of a channel that is about to start the lead counts as listed. */
function lastListed(timeline: Timeline, ticks: number): Position | undefined {
  return findListed(timeline, Math.max(ticks, lastStart(timeline)?.shownFromTicks ?? 0))
}

/** Whether what is planned from a segment on can still be replaced. */
const isFree = (timeline: Timeline, at: Position, nowMs: number, live: LiveView): boolean =>
  firstTold(timeline, at, live) >= ticksOf(nowMs + GUARD_MS)

/** Whether no playlist contains anything of a run before every node can have received it. */
export function isUnseen(timeline: Timeline, run: Run, nowMs: number, live: LiveView): boolean {
  const after = applyRun(timeline, run)
  const isGoingOff = run.spans.length === 0
  if (isGoingOff) return run.startTicks >= ticksOf(nowMs + GUARD_MS)
  return isFree(after, { run: after.runs.length - 1, span: 0, segment: 0 }, nowMs, live)
}

/** When a playlist first tells of a segment: when it has ended, or when it begins and an announced break with it. */
const firstTold = (timeline: Timeline, at: Position, live: LiveView): number =>
  breakBeginsAt(timeline, at, live) ? startAt(timeline, at) : endAt(timeline, at)
