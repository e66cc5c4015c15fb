import type { ChannelState } from '@continuity/core/feed/channel-state'
import { styleOf } from '@continuity/core/hls/media-playlist'
import { ticksOf } from '@continuity/core/time/ticks'
import { lookbackOf } from '@continuity/core/timeline/breaks'
import { lastIndexBy, startTicksOf } from '@continuity/core/timeline/find'
import { unpackBetween } from '@continuity/core/timeline/packed'
import type { Run, Timeline } from '@continuity/core/timeline/run'
import { ENDED_MS } from '@continuity/core/timeline/window'

/** The part of a channel's timeline that its playlists are printed from, at any time from one to before another. */
export interface Unpacked {
  readonly fromTicks: number
  readonly untilTicks: number
  readonly timeline: Timeline
}

/**
 * How long a channel is played from one unpacking. A day's run takes a quarter of a millisecond to unpack: every half
 * minute, ten thousand channels would cost a tenth of a core.
 */
export const UNPACKED_TICKS = ticksOf(300_000)

/** More than a segment: what is listed first has begun before, and what is announced begins later. */
const EDGE_TICKS = ticksOf(10_000)

/** Undefined where bytes are spoilt. */
export function unpackFrom(state: ChannelState, fromTicks: number): Unpacked | undefined {
  const untilTicks = fromTicks + UNPACKED_TICKS
  const firstTicks = fromTicks - backOf(state)
  const lastTicks = untilTicks + EDGE_TICKS
  const timeline = unpackBetween(state.timeline, firstTicks, lastTicks)
  return timeline && { fromTicks, untilTicks, timeline: leaveOut(timeline, firstTicks, lastTicks) }
}

/** The longest that one of the outputs looks back. */
function backOf({ channel: { outputs, segmentMs } }: ChannelState): number {
  const each = outputs.map(
    ({ windowMs, markers, breakPolicy }) =>
      styleOf(segmentMs, windowMs, markers).windowTicks + lookbackOf(breakPolicy),
  )
  return Math.max(...each) + ticksOf(ENDED_MS) + EDGE_TICKS
}

/** Of a day that was committed together a few minutes are needed, and ten thousand days do not fit into memory. */
function leaveOut({ version, runs }: Timeline, firstTicks: number, lastTicks: number): Timeline {
  return { version, runs: runs.map((run) => leaveOutOfRun(run, firstTicks, lastTicks)) }
}

function leaveOutOfRun(run: Run, firstTicks: number, lastTicks: number): Run {
  // Where the number of a run follows from what is before it, its first span tells whether they are joined.
  const first = run.discontinuity === null ? 0 : Math.max(0, lastIndexBy(run.spans, startTicksOf, firstTicks))
  const end = lastIndexBy(run.spans, startTicksOf, lastTicks) + 1
  return { ...run, spans: run.spans.slice(first, end) }
}
