import { ticksOf } from '../time/ticks.ts'
import { discontinuityOfRun } from './discontinuity.ts'
import type { OnAir } from './on-air.ts'
import type { Timeline } from './run.ts'
import { endOfSpan, type Span } from './span.ts'

/** The discontinuity number of a run that follows a live span, once it is sure for ever. */
export interface Settled {
  readonly firstSequence: number
  readonly discontinuity: number
}

/** The runs whose number has become sure, to be written down before the live log that tells it is forgotten. */
export function settledRuns(onAir: OnAir): Settled[] {
  return onAir.timeline.runs.flatMap(({ firstSequence, discontinuity }, at) => {
    const settled = discontinuity === null ? settledNumber(onAir, at) : null
    return settled === null ? [] : [{ firstSequence, discontinuity: settled }]
  })
}

export function settleRun(timeline: Timeline, { firstSequence, discontinuity }: Settled): Timeline {
  const runs = timeline.runs.map((run) =>
    run.firstSequence === firstSequence ? { ...run, discontinuity } : run,
  )
  return { ...timeline, runs }
}

/** The discontinuity number of a run; null while a live log that it follows from may still grow. */
export function settledNumber(onAir: OnAir, run: number): number | null {
  const { runs } = onAir.timeline
  for (let at = run; runs[at]!.discontinuity === null && at > 0; at -= 1) {
    const before = runs[at - 1]!.spans.at(-1)!
    if (before.show.kind === 'live' && !hasPassed(onAir, before)) return null
  }
  return discontinuityOfRun(onAir.timeline, run, onAir.live)
}

/** What has been listed has settled a guard before. */
export const hasPassed = ({ nowMs }: Pick<OnAir, 'nowMs'>, span: Span): boolean =>
  endOfSpan(span) <= ticksOf(nowMs)
