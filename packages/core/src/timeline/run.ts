import { endOfSpan, type Span } from './span.ts'

/**
 * Spans that were committed together.
 *
 * A run replaces everything from its first sequence number on. So a cut adds one run, and the runs that it
 * replaces are not modified.
 */
export interface Run {
  /** Counts the runs of a channel. */
  readonly number: number
  readonly firstSequence: number
  readonly startTicks: number
  /** Discontinuity number of its first segment; null after a live span, where it follows from the live log. */
  readonly discontinuity: number | null
  /** Set on a run that starts a channel: from then on, it is shown together with its pre-roll slate. */
  readonly shownFromTicks: number | null
  readonly spans: readonly Span[]
  /** The channel goes off the air after it. */
  readonly isEnd: boolean
}

/** The live sources that a timeline shows. */
export const sourcesOf = ({ runs }: Timeline): readonly string[] => [
  ...new Set(
    runs.flatMap(({ spans }) => spans.flatMap(({ show }) => (show.kind === 'live' ? show.sourceId : []))),
  ),
]

/** The effective runs of a channel, in order; none is empty. */
export interface Timeline {
  /** Number of the last run that was applied, even if nothing of it is left. */
  readonly version: number
  readonly runs: readonly Run[]
}

export const emptyTimeline: Timeline = { version: 0, runs: [] }

/** The first sequence number after a run. */
export function endSequenceOf({ spans, firstSequence }: Run): number {
  const last = spans.at(-1)
  return last === undefined ? firstSequence : last.firstSequence + last.segments
}

export function endTicksOf({ spans, startTicks }: Run): number {
  const last = spans.at(-1)
  return last === undefined ? startTicks : endOfSpan(last)
}

/** A run that starts a channel. */
export type StartRun = Run & { readonly shownFromTicks: number }

/** The run that last started the channel, or is about to. */
export const lastStart = ({ runs }: Timeline): StartRun | undefined =>
  runs.findLast((run): run is StartRun => run.shownFromTicks !== null)

/** Whether no run is missing between a timeline and this run. */
export const isNext = ({ version }: Pick<Timeline, 'version'>, { number }: Pick<Run, 'number'>): boolean =>
  number === version + 1

/** The timeline with one more run. A run that is known or older changes nothing. */
export function applyRun(timeline: Timeline, run: Run): Timeline {
  if (run.number <= timeline.version) return timeline
  const isStart = run.shownFromTicks !== null
  const kept = timeline.runs
    .map((before) => endRunAt(before, run.firstSequence, isStart))
    .filter(({ spans }) => spans.length > 0)
  // A run without spans only takes the channel off the air.
  const runs = run.spans.length > 0 ? [...kept, run] : run.isEnd ? endLast(kept) : kept
  return { version: run.number, runs }
}

/**
 * Drops the runs that ended before a time, except the last one and those that an open discontinuity number
 * depends on.
 */
export function dropBefore({ version, runs }: Timeline, ticks: number): Timeline {
  const first = runs.findIndex((run) => endTicksOf(run) > ticks)
  return { version, runs: runs.slice(lastNumbered(runs, first < 0 ? runs.length - 1 : first)) }
}

/** Index of the last run up to `at` with a discontinuity number: the numbers of later runs follow from it. */
export function lastNumbered(runs: readonly Pick<Run, 'discontinuity'>[], at: number): number {
  let first = Math.max(0, at)
  while (first > 0 && runs[first]!.discontinuity === null) first -= 1
  return first
}

function endRunAt(run: Run, sequence: number, isBeforeStart: boolean): Run {
  if (sequence >= endSequenceOf(run))
    return run.isEnd && !isBeforeStart && sequence === endSequenceOf(run) ? withoutEnd(run) : run
  const spans = run.spans.filter(({ firstSequence }) => firstSequence < sequence)
  const last = spans.at(-1)
  if (last === undefined) return { ...run, spans, isEnd: false }
  const segments = Math.min(last.segments, sequence - last.firstSequence)
  return { ...run, spans: [...spans.slice(0, -1), { ...last, segments }], isEnd: false }
}

/** Revokes the end: the next run follows without a pause. */
const withoutEnd = (run: Run): Run => ({ ...run, isEnd: false })

const endLast = (runs: readonly Run[]): Run[] =>
  runs.map((run, at) => (at === runs.length - 1 ? { ...run, isEnd: true } : run))
