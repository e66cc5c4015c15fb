import { endOfSpan, type Span } from './span.ts'

/**
 * Spans that were committed together.
 *
 * A run takes the place of everything from its first sequence number on. So a cut is one run more, and what it makes
 * void stays as it was written.
 */
export interface Run {
  /** Counts the runs of a channel. */
  readonly number: number
  readonly firstSequence: number
  readonly startTicks: number
  /** The discontinuity number of its first segment; null after a live span, whose log tells it. */
  readonly discontinuity: number | null
  /** Of the run that starts a channel: it is shown from then on, with what lies before. */
  readonly shownFromTicks: number | null
  readonly spans: readonly Span[]
  /** After it the channel is off the air. */
  readonly isEnd: boolean
}

/** The live sources that a timeline shows. */
export const sourcesOf = ({ runs }: Timeline): readonly string[] => [
  ...new Set(
    runs.flatMap(({ spans }) => spans.flatMap(({ show }) => (show.kind === 'live' ? show.sourceId : []))),
  ),
]

/** The runs of a channel as far as they count, in order; none is empty. */
export interface Timeline {
  /** The number of the last run that was applied, also where nothing is left of it. */
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

/** Whether no run is missing between a timeline and this one. */
export const isNext = ({ version }: Pick<Timeline, 'version'>, { number }: Pick<Run, 'number'>): boolean =>
  number === version + 1

/** The timeline with one run more. A run that it has, or that is older, changes nothing. */
export function applyRun(timeline: Timeline, run: Run): Timeline {
  if (run.number <= timeline.version) return timeline
  const isStart = run.shownFromTicks !== null
  const kept = timeline.runs
    .map((before) => endRunAt(before, run.firstSequence, isStart))
    .filter(({ spans }) => spans.length > 0)
  // A run without spans has nothing to say but that the channel goes off the air here.
  const runs = run.spans.length > 0 ? [...kept, run] : run.isEnd ? endLast(kept) : kept
  return { version: run.number, runs }
}

/**
 * What is needed from a time on. Runs that ended before are left out, but never the last, nor those that a number
 * follows from which is not written down.
 */
export function forgetBefore({ version, runs }: Timeline, ticks: number): Timeline {
  const first = runs.findIndex((run) => endTicksOf(run) > ticks)
  return { version, runs: runs.slice(lastNumbered(runs, first < 0 ? runs.length - 1 : first)) }
}

/** The last run up to that one that says its discontinuity number: the numbers after it follow from there. */
export function lastNumbered(runs: readonly Pick<Run, 'discontinuity'>[], at: number): number {
  let first = Math.max(0, at)
  while (first > 0 && runs[first]!.discontinuity === null) first -= 1
  return first
}

function endRunAt(run: Run, sequence: number, isBeforeStart: boolean): Run {
  if (sequence >= endSequenceOf(run))
    return run.isEnd && !isBeforeStart && sequence === endSequenceOf(run) ? goOn(run) : run
  const spans = run.spans.filter(({ firstSequence }) => firstSequence < sequence)
  const last = spans.at(-1)
  if (last === undefined) return { ...run, spans, isEnd: false }
  const segments = Math.min(last.segments, sequence - last.firstSequence)
  return { ...run, spans: [...spans.slice(0, -1), { ...last, segments }], isEnd: false }
}

/** The end is taken back: the next run follows without a pause. */
const goOn = (run: Run): Run => ({ ...run, isEnd: false })

const endLast = (runs: readonly Run[]): Run[] =>
  runs.map((run, at) => (at === runs.length - 1 ? { ...run, isEnd: true } : run))
