import { ticksOf } from '../time/ticks.ts'
import { discontinuityOfRun, type LiveView } from './discontinuity.ts'
import { knowsSlots } from './live-log.ts'
import type { OnAir } from './on-air.ts'
import type { Timeline } from './run.ts'
import { endOfSpan, type Span } from './span.ts'

/** The discontinuity number of a run after a live span, once it can no longer change. */
export interface Settled {
  /** Number of the run: another run may have replaced it since, with the same first sequence number. */
  readonly number: number
  readonly firstSequence: number
  readonly discontinuity: number
}

/** Runs whose discontinuity number has become final, to be stored before the live log is purged. */
export function settledRuns(onAir: OnAir): Settled[] {
  return onAir.timeline.runs.flatMap(({ number, firstSequence, discontinuity }, at) => {
    const settled = discontinuity === null ? settledNumber(onAir, at) : null
    return settled === null ? [] : [{ number, firstSequence, discontinuity: settled }]
  })
}

export function settleRun(timeline: Timeline, settled: Settled): Timeline {
  const { discontinuity } = settled
  const runs = timeline.runs.map((run) => (matchesRun(run, settled) ? { ...run, discontinuity } : run))
  return { ...timeline, runs }
}

export const matchesRun = (run: Pick<Settled, 'number' | 'firstSequence'>, settled: Settled): boolean =>
  run.number === settled.number && run.firstSequence === settled.firstSequence

/**
 * The discontinuity number of a run; null while a live log that it depends on may still grow, or is not known.
 */
export function settledNumber(onAir: OnAir, run: number): number | null {
  const { runs } = onAir.timeline
  for (let at = run; runs[at]!.discontinuity === null; at -= 1) {
    const before = runs[at - 1]?.spans.at(-1)
    if (before === undefined || !isSettled(onAir, before, runs[at]!.spans[0])) return null
  }
  return discontinuityOfRun(onAir.timeline, run, onAir.live)
}

/** Whether the discontinuities within a span and the one after it are final. */
export function isSettled(
  onAir: Pick<OnAir, 'nowMs' | 'live'>,
  span: Span,
  after: Span | undefined,
): boolean {
  if (span.show.kind !== 'live') return true
  return hasPassed(onAir, span) && (after === undefined || isKnown(onAir.live, after, 1))
}

/** A listed slot has been settled for one cut margin; the log shows whether it was received here too. */
export const hasPassed = ({ nowMs, live }: Pick<OnAir, 'nowMs' | 'live'>, span: Span): boolean =>
  endOfSpan(span) <= ticksOf(nowMs) && isKnown(live, span, span.segments)

function isKnown({ findLog }: LiveView, { show }: Span, segments: number): boolean {
  if (show.kind !== 'live') return true
  const log = findLog(show.sourceId)
  return log !== undefined && knowsSlots(log, show.firstSlot, show.firstSlot + segments)
}
