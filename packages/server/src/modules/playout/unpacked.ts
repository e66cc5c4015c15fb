import type { ChannelState } from '@continuity/core/feed/channel-state'
import { styleOf } from '@continuity/core/hls/media-playlist'
import { ticksOf } from '@continuity/core/time/ticks'
import { lastIndexBy, startTicksOf } from '@continuity/core/timeline/find'
import { backOf, EDGE_TICKS, unpackBetween } from '@continuity/core/timeline/packed'
import type { Run, Timeline } from '@continuity/core/timeline/run'

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

/** Undefined where bytes are spoilt. */
export function unpackFrom(state: ChannelState, fromTicks: number): Unpacked | undefined {
  const untilTicks = fromTicks + UNPACKED_TICKS
  const firstTicks = fromTicks - longestBack(state)
  const lastTicks = untilTicks + EDGE_TICKS
  const timeline = unpackBetween(state.timeline, firstTicks, lastTicks)
  return timeline && { fromTicks, untilTicks, timeline: leaveOut(timeline, firstTicks, lastTicks) }
}

/** The longest that one of the outputs looks back. */
const longestBack = ({ channel: { outputs, segmentMs } }: ChannelState): number =>
  Math.max(
    ...outputs.map(({ windowMs, markers, breakPolicy }) =>
      backOf(styleOf(segmentMs, windowMs, markers).windowTicks, breakPolicy),
    ),
  )

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
