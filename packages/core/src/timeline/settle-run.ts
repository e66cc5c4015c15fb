import { ticksOf } from '../time/ticks.ts'
import { discontinuityOfRun, type LiveView } from './discontinuity.ts'
import { knowsSlots } from './live-log.ts'
import type { OnAir } from './on-air.ts'
import type { Timeline } from './run.ts'
import { endOfSpan, type Span } from './span.ts'

/** The discontinuity number of a run that follows a live span, once it is sure for ever. */
export interface Settled {
  /** Of the run: another one may have taken its place since, with the same first sequence number. */
  readonly number: number
  readonly firstSequence: number
  readonly discontinuity: number
}

/** The runs whose number has become sure, to be written down before the live log that tells it is forgotten. */
export function settledRuns(onAir: OnAir): Settled[] {
  return onAir.timeline.runs.flatMap(({ number, firstSequence, discontinuity }, at) => {
    const settled = discontinuity === null ? settledNumber(onAir, at) : null
    return settled === null ? [] : [{ number, firstSequence, discontinuity: settled }]
  })
}

export function settleRun(timeline: Timeline, settled: Settled): Timeline {
  const { discontinuity } = settled
  const runs = timeline.runs.map((run) => (isMeant(run, settled) ? { ...run, discontinuity } : run))
  return { ...timeline, runs }
}

export const isMeant = (run: Pick<Settled, 'number' | 'firstSequence'>, settled: Settled): boolean =>
  run.number === settled.number && run.firstSequence === settled.firstSequence

/** The discontinuity number of a run; null while a live log that it follows from may still grow, or is not known. */
export function settledNumber(onAir: OnAir, run: number): number | null {
  const { runs } = onAir.timeline
  for (let at = run; runs[at]!.discontinuity === null; at -= 1) {
    const before = runs[at - 1]?.spans.at(-1)
    if (before === undefined || !isSettled(onAir, before, runs[at]!.spans[0])) return null
  }
  return discontinuityOfRun(onAir.timeline, run, onAir.live)
}

/** Whether the discontinuities of a span, and the one to what comes after it, are sure. */
export function isSettled(
  onAir: Pick<OnAir, 'nowMs' | 'live'>,
  span: Span,
  after: Span | undefined,
): boolean {
  if (span.show.kind !== 'live') return true
  return hasPassed(onAir, span) && (after === undefined || isKnown(onAir.live, after, 1))
}

/** What has been listed has settled a guard before; whether it was learnt here too, the log says. */
export const hasPassed = ({ nowMs, live }: Pick<OnAir, 'nowMs' | 'live'>, span: Span): boolean =>
  endOfSpan(span) <= ticksOf(nowMs) && isKnown(live, span, span.segments)

function isKnown({ findLog }: LiveView, { show }: Span, segments: number): boolean {
  if (show.kind !== 'live') return true
  const log = findLog(show.sourceId)
  return log !== undefined && knowsSlots(log, show.firstSlot, show.firstSlot + segments)
}
