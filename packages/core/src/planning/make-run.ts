import { discontinuityAfter } from '../timeline/discontinuity.ts'
import { findSequence, spanAt } from '../timeline/find.ts'
import type { OnAir } from '../timeline/on-air.ts'
import { endSequenceOf, type Run, type Timeline } from '../timeline/run.ts'
import { isSettled, settledNumber } from '../timeline/settle-run.ts'
import type { Span } from '../timeline/span.ts'
import type { Boundary } from './boundary.ts'

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

/** Spans in a run. Runs are short because a node unpacks every run that it needs. */
const SPANS_IN_RUN = 48

/** Splits a run into several, each of which begins where the previous one ends. */
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

/**
 * Splits at the start of a program if there is one in the second half: otherwise both runs would contain the
 * program.
 */
function endOfPart(spans: readonly Span[], from: number, spansInRun: number): number {
  const most = from + spansInRun
  if (most >= spans.length) return spans.length
  for (let at = most; at > from + spansInRun / 2; at -= 1) {
    if (spans[at]!.airing.program?.id !== spans[at - 1]!.airing.program?.id) return at
  }
  return most
}

/** The first unused sequence number of the channel. */
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

/** Null if it depends on a live log that may still grow, or that is not known. */
function discontinuityAt(onAir: OnAir, sequence: number, first: Span | undefined): number | null {
  const { timeline, live } = onAir
  const before = findSequence(timeline, sequence - 1)
  if (before === undefined) return 0
  const base = settledNumber(onAir, before.run)
  const last = { ...spanAt(timeline, before), segments: before.segment + 1 }
  if (base === null || !isSettled(onAir, last, first)) return null
  return base + discontinuityAfter(last, first, live)
}
