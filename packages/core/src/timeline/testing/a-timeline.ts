import { at, ticks } from '../../schedule/testing/a-schedule.ts'
import { createLiveView, type LiveView, noLive } from '../discontinuity.ts'
import type { LiveBreak, LiveLog } from '../live-log.ts'
import { applyRun, emptyTimeline, type Run, type Timeline } from '../run.ts'
import { type Segment, segmentsBetween } from '../segments.ts'
import type { Span } from '../span.ts'
import { windowAt } from '../window.ts'

/** The timeline after applying runs one after the other. */
export const aTimeline = (...runs: readonly Run[]): Timeline => runs.reduce(applyRun, emptyTimeline)

/** A complete log of a source, except for the missing slots. */
export const aLog = (
  missing: readonly number[] = [],
  breaks: readonly LiveBreak[] = [],
  epochOf: (slot: number) => number = () => 1,
): LiveLog => ({
  knownFrom: 0,
  knownUntil: Number.MAX_SAFE_INTEGER,
  entryAt: (slot) =>
    missing.includes(slot) ? undefined : { slot, epoch: epochOf(slot), path: 'live/north' },
  breaks,
})

/** The view of a node that has the log of the source `north`. */
export const aView = (log: LiveLog = aLog()): LiveView =>
  createLiveView((sourceId) => (sourceId === 'north' ? log : undefined))

/** The listed segments at a time: folder and number of each. */
export function listedAt(
  timeline: Timeline,
  seconds: number,
  windowSeconds = 32,
  live: LiveView = noLive,
): readonly string[] | undefined {
  const window = windowAt(timeline, at(seconds), ticks(windowSeconds), live)
  if (window === undefined) return undefined
  const { span, to } = window.parts.at(-1)!
  const listed = segmentsBetween(timeline, window.firstSequence, span.firstSequence + to, live)
  return [...listed].map(nameOf)
}

/** The segments with these sequence numbers, listed or not. */
export const shownFrom = (
  timeline: Timeline,
  first: number,
  end: number,
  live: LiveView = noLive,
): readonly string[] => [...segmentsBetween(timeline, first, end, live)].map(nameOf)

const nameOf = ({ shown }: Segment): string => `${shown.path}/${shown.number}`

/** The discontinuity number of the last segment that is listed at a time. */
export const numberAt = (timeline: Timeline, seconds: number, live: LiveView = noLive): number | undefined =>
  windowAt(timeline, at(seconds), 1, live)?.discontinuity

/** Spans as text: start of each, its media, first segment and number of segments. */
export const describeSpans = ({ spans }: Pick<Run, 'spans'>): readonly string[] => spans.map(describeSpan)

function describeSpan({ startTicks, segments, show }: Span): string {
  const seconds = ((startTicks - at(0)) / 90_000).toFixed(1)
  const count = segments > 2 ** 30 ? 'on' : `${segments}`
  return show.kind === 'live'
    ? `${seconds} ${show.sourceId} ${show.firstSlot}+${count}`
    : `${seconds} ${show.media.path} ${show.firstSegment}+${count}`
}
