import { ticksOf } from '../../time/ticks.ts'
import { type BreakPolicy, lookbackOf } from '../breaks.ts'
import { endSequenceOf, endTicksOf, lastNumbered, type Run, type Timeline } from '../run.ts'
import { matchesRun, type Settled } from '../settle-run.ts'
import type { Span } from '../span.ts'
import { ENDED_MS } from '../window.ts'
import { decodeRun, encodeRun } from './run-codec.ts'

/** A timeline as kept in memory and on disk; only the part around the current time is unpacked. */
export interface PackedTimeline {
  readonly version: number
  readonly runs: readonly PackedRun[]
}

/** A run as bytes, with the fields needed to find and cut it. Its components have no titles and references. */
export interface PackedRun {
  readonly number: number
  readonly firstSequence: number
  readonly startTicks: number
  /** Its current end; its bytes may contain more, which is ignored. */
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

/** The same for a run that is already packed. */
export function addPacked(timeline: PackedTimeline, run: PackedRun): PackedTimeline {
  if (run.number <= timeline.version) return timeline
  const kept = timeline.runs
    .map((before) => endPackedAt(before, run))
    .filter((it) => it.endSequence > it.firstSequence)
  if (run.endSequence > run.firstSequence) kept.push(run)
  else if (run.isEnd && kept.length > 0) kept.push({ ...kept.pop()!, isEnd: true })
  return { version: run.number, runs: kept }
}

/** A node needs only the ids of components; their titles are a third of the size. */
const withoutTitle = (span: Span): Span => ({
  ...span,
  airing: { ...span.airing, referenceId: null, title: '' },
})

/** The same as `settleRun`. */
export function settlePacked(timeline: PackedTimeline, settled: Settled): PackedTimeline {
  const { discontinuity } = settled
  const runs = timeline.runs.map((run) => (matchesRun(run, settled) ? { ...run, discontinuity } : run))
  return { ...timeline, runs }
}

/** The same as `dropBefore`. */
export function dropPacked({ version, runs }: PackedTimeline, ticks: number): PackedTimeline {
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

/** The part needed for the windows of a time: the window of an ended channel stays unchanged for a while. */
export function unpackAround(
  timeline: PackedTimeline,
  ticks: number,
  windowTicks: number,
  policy: BreakPolicy,
): Timeline | undefined {
  return unpackBetween(timeline, ticks - backOf(windowTicks, policy), ticks + EDGE_TICKS)
}

/** Largest time shift of an output. */
export const SHIFT_MAXIMUM_MS = 86_400_000

/** How far back a node keeps a timeline, so that it can serve the longest window for any time shift. */
export const keptTicks = (longestWindowTicks: number): number =>
  ticksOf(SHIFT_MAXIMUM_MS) + backOf(longestWindowTicks, 'FULL_LENGTH')

/** How far before a time its playlists need the timeline. */
export const backOf = (windowTicks: number, policy: BreakPolicy): number =>
  windowTicks + ticksOf(ENDED_MS) + EDGE_TICKS + lookbackOf(policy)

/**
 * More than a segment: the first listed segment began before the window, and an announced break begins after
 * it.
 */
export const EDGE_TICKS = ticksOf(10_000)

/**
 * The part of a timeline between two times: its runs, and the earlier runs that the discontinuity numbers
 * depend on. Undefined if bytes are corrupt.
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
