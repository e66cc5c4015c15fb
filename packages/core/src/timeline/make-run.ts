import type { Boundary } from './boundary.ts'
import { discontinuityAfter } from './discontinuity.ts'
import { findSequence, spanAt } from './find.ts'
import type { OnAir } from './on-air.ts'
import { endSequenceOf, type Run, type Timeline } from './run.ts'
import { isSettled, settledNumber } from './settle-run.ts'
import type { Span } from './span.ts'

/** A run that takes over at a boundary. */
export function makeRun(onAir: OnAir, { sequence, startTicks }: Boundary, spans: readonly Span[]): Run {
  return {
    number: onAir.timeline.version + 1,
    firstSequence: sequence,
    startTicks,
    discontinuity: discontinuityAt(onAir, sequence, spans[0]),
    shownFromTicks: null,
    spans,
    isEnd: spans.length === 0,
  }
}

/** Spans in a run: a node unpacks the runs that it needs, so they are kept short. */
const SPANS_IN_RUN = 48

/** The same as several runs, each of which goes on where the one before it ends. */
export function splitRun(run: Run, spansInRun: number = SPANS_IN_RUN): Run[] {
  const runs: Run[] = []
  let at = 0
  do {
    const end = endOfPart(run.spans, at, spansInRun)
    const spans = run.spans.slice(at, end)
    const isLast = end === run.spans.length
    runs.push(
      at === 0 ? { ...run, spans, isEnd: run.isEnd && isLast } : partOf(run, spans, runs.length, isLast),
    )
    at = end
  } while (at < run.spans.length)
  return runs
}

/** Where a program begins, if one does in the second half: it would be written in both runs otherwise. */
function endOfPart(spans: readonly Span[], from: number, spansInRun: number): number {
  const most = from + spansInRun
  if (most >= spans.length) return spans.length
  for (let at = most; at > from + spansInRun / 2; at -= 1) {
    if (spans[at]!.airing.program?.id !== spans[at - 1]!.airing.program?.id) return at
  }
  return most
}

/** How many sequence numbers the channel has used or planned. */
export const nextSequence = ({ runs }: Timeline): number =>
  runs.length === 0 ? 0 : endSequenceOf(runs.at(-1)!)

function partOf(run: Run, spans: readonly Span[], at: number, isLast: boolean): Run {
  const { firstSequence, startTicks, discontinuity } = spans[0]!
  return {
    number: run.number + at,
    firstSequence,
    startTicks,
    discontinuity: run.discontinuity === null ? null : run.discontinuity + discontinuity,
    shownFromTicks: null,
    spans: spans.map((span) => ({ ...span, discontinuity: span.discontinuity - discontinuity })),
    isEnd: run.isEnd && isLast,
  }
}

/** Null where it follows from a live log that may still grow, or that is not known. */
function discontinuityAt(onAir: OnAir, sequence: number, first: Span | undefined): number | null {
  const { timeline, live } = onAir
  const before = findSequence(timeline, sequence - 1)
  if (before === undefined) return 0
  const base = settledNumber(onAir, before.run)
  const last = { ...spanAt(timeline, before), segments: before.segment + 1 }
  if (base === null || !isSettled(onAir, last, first)) return null
  return base + discontinuityAfter(last, first, live)
}
