import { ticksOf } from '../time/ticks.ts'
import { type BreakPolicy, lookbackOf } from './breaks.ts'
import { decodeRun, encodeRun } from './codec/run-codec.ts'
import { endSequenceOf, endTicksOf, lastNumbered, type Run, type Timeline } from './run.ts'
import { isMeant, type Settled } from './settle-run.ts'
import type { Span } from './span.ts'
import { ENDED_MS } from './window.ts'

/** A timeline as it is kept in memory and on disk: what lies far from now is not unpacked. */
export interface PackedTimeline {
  readonly version: number
  readonly runs: readonly PackedRun[]
}

/** A run as bytes, with what must be known to find it and to cut it. Its components have no titles and references. */
export interface PackedRun {
  readonly number: number
  readonly firstSequence: number
  readonly startTicks: number
  /** Where it ends by now; its bytes may say more, which is void. */
  readonly endSequence: number
  readonly endTicks: number
  readonly discontinuity: number | null
  readonly isStart: boolean
  readonly isEnd: boolean
  readonly bytes: Uint8Array
}

export const emptyPacked: PackedTimeline = { version: 0, runs: [] }

/** The same as `applyRun`, without unpacking anything. */
export const applyPacked = (timeline: PackedTimeline, run: Run): PackedTimeline =>
  run.number <= timeline.version ? timeline : addPacked(timeline, packRun(run))

/** The same with a run that is packed already. */
export function addPacked(timeline: PackedTimeline, run: PackedRun): PackedTimeline {
  if (run.number <= timeline.version) return timeline
  const kept = timeline.runs
    .map((before) => endPackedAt(before, run))
    .filter((it) => it.endSequence > it.firstSequence)
  if (run.endSequence > run.firstSequence) kept.push(run)
  else if (run.isEnd && kept.length > 0) kept.push({ ...kept.pop()!, isEnd: true })
  return { version: run.number, runs: kept }
}

/** Of the components a node needs to know only which they are; their titles are a third of what all is. */
const withoutTitle = (span: Span): Span => ({
  ...span,
  airing: { ...span.airing, referenceId: null, title: '' },
})

/** The same as `settleRun`. */
export function settlePacked(timeline: PackedTimeline, settled: Settled): PackedTimeline {
  const { discontinuity } = settled
  const runs = timeline.runs.map((run) => (isMeant(run, settled) ? { ...run, discontinuity } : run))
  return { ...timeline, runs }
}

/** The same as `forgetBefore`. */
export function forgetPacked({ version, runs }: PackedTimeline, ticks: number): PackedTimeline {
  const first = runs.findIndex(({ endTicks }) => endTicks > ticks)
  return { version, runs: runs.slice(lastNumbered(runs, first < 0 ? runs.length - 1 : first)) }
}

export function packRun(run: Run): PackedRun {
  return {
    number: run.number,
    firstSequence: run.firstSequence,
    startTicks: run.startTicks,
    endSequence: endSequenceOf(run),
    endTicks: endTicksOf(run),
    discontinuity: run.discontinuity,
    isStart: run.shownFromTicks !== null,
    isEnd: run.isEnd,
    bytes: encodeRun({ ...run, spans: run.spans.map(withoutTitle) }),
  }
}

/** What is needed for the windows of a time: one that has ended stays as it was for a while. */
export function unpackAround(
  timeline: PackedTimeline,
  ticks: number,
  windowTicks: number,
  policy: BreakPolicy,
): Timeline | undefined {
  return unpackBetween(timeline, ticks - backOf(windowTicks, policy), ticks + EDGE_TICKS)
}

/** The longest that an output may be behind its channel. */
export const SHIFT_MAXIMUM_MS = 86_400_000

/** How far back a node keeps a timeline, so that the longest of its windows can be told for any shifted output. */
export const keptTicks = (longestWindowTicks: number): number =>
  ticksOf(SHIFT_MAXIMUM_MS) + backOf(longestWindowTicks, 'FULL_LENGTH')

/** How far before a time lies what its playlists need. */
export const backOf = (windowTicks: number, policy: BreakPolicy): number =>
  windowTicks + ticksOf(ENDED_MS) + EDGE_TICKS + lookbackOf(policy)

/** More than a segment: what is listed first has begun before, and what is announced begins later. */
export const EDGE_TICKS = ticksOf(10_000)

/**
 * The part of a timeline that is needed for a stretch of time: its runs, and before them those that the discontinuity
 * numbers follow from. Undefined where bytes are spoilt.
 */
export function unpackBetween(
  { version, runs }: PackedTimeline,
  fromTicks: number,
  toTicks: number,
): Timeline | undefined {
  const first = runs.findLastIndex(({ startTicks }) => startTicks <= fromTicks)
  const needed = runs.slice(lastNumbered(runs, first)).filter(({ startTicks }) => startTicks <= toTicks)
  const unpacked = needed.map(unpackRun)
  return unpacked.every((run) => run !== undefined) ? { version, runs: unpacked } : undefined
}

function endPackedAt(before: PackedRun, { firstSequence, startTicks, isStart }: PackedRun): PackedRun {
  if (firstSequence > before.endSequence) return before
  if (firstSequence === before.endSequence)
    return before.isEnd && !isStart ? { ...before, isEnd: false } : before
  return {
    ...before,
    endSequence: Math.max(firstSequence, before.firstSequence),
    endTicks: startTicks,
    isEnd: false,
  }
}

function unpackRun({ bytes, endSequence, isEnd, discontinuity }: PackedRun): Run | undefined {
  const run = decodeRun(bytes)
  if (run === undefined) return undefined
  const spans = run.spans.filter((span) => span.firstSequence < endSequence)
  const last = spans.pop()
  if (last === undefined) return undefined
  const segments = Math.min(last.segments, endSequence - last.firstSequence)
  return { ...run, discontinuity, isEnd, spans: [...spans, { ...last, segments }] }
}
