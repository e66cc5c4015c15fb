import { ticksOf } from '../time/ticks.ts'
import { endAt, findListed, nextPosition } from './find.ts'
import { endTicksOf, type Timeline } from './run.ts'
import { startOfSegment } from './span.ts'
import { END_LISTED_MS, ENDED_MS } from './window.ts'

/**
 * When the playlists of a timeline next change: when the next segment is listed, which is also when breaks are
 * announced and ended, when the last playlist is marked as ended, when it is no longer served, or when the
 * channel starts. Infinity if not known yet.
 */
export function nextChangeTicks(timeline: Timeline, ticks: number): number {
  const last = findListed(timeline, ticks)
  if (last === undefined) return firstListedTicks(timeline, ticks)
  const startTicks = nextStartTicks(timeline, ticks)
  const next = nextPosition(timeline, last)
  if (next !== undefined) return Math.min(endAt(timeline, next), startTicks)
  const run = timeline.runs[last.run]!
  if (!run.isEnd) return startTicks
  const afterEnd = [END_LISTED_MS, ENDED_MS].map((ms) => endTicksOf(run) + ticksOf(ms))
  return Math.min(afterEnd.find((changeTicks) => changeTicks > ticks) ?? Number.POSITIVE_INFINITY, startTicks)
}

/** When a channel with an empty playlist lists its first segment: at its start, or at the end of that segment. */
function firstListedTicks({ runs }: Timeline, ticks: number): number {
  for (const { spans, shownFromTicks } of runs) {
    const listedTicks = Math.max(startOfSegment(spans[0]!, 1), shownFromTicks ?? 0)
    if (listedTicks > ticks) return listedTicks
  }
  return Number.POSITIVE_INFINITY
}

function nextStartTicks({ runs }: Timeline, ticks: number): number {
  const start = runs.find(({ shownFromTicks }) => shownFromTicks !== null && shownFromTicks > ticks)
  return start?.shownFromTicks ?? Number.POSITIVE_INFINITY
}
