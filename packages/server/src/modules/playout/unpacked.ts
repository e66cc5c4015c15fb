import type { ChannelState } from '@continuity/core/feed/channel-state'
import { styleOf } from '@continuity/core/hls/media-playlist'
import { ticksOf } from '@continuity/core/time/ticks'
import { backOf, EDGE_TICKS, unpackBetween } from '@continuity/core/timeline/codec/packed'
import { lastIndexBy, startTicksOf } from '@continuity/core/timeline/find'
import type { Run, Timeline } from '@continuity/core/timeline/run'

/** The part of a channel's timeline from which its playlists are rendered between two times. */
export interface Unpacked {
  readonly fromTicks: number
  readonly untilTicks: number
  readonly timeline: Timeline
}

/**
 * How long a channel is played from one unpacked part. A day's run takes a quarter of a millisecond to unpack: every half
 * minute, ten thousand channels would cost a tenth of a core.
 */
export const UNPACKED_TICKS = ticksOf(300_000)

/** Undefined if the packed bytes are corrupt. */
export function unpackFrom(state: ChannelState, fromTicks: number): Unpacked | undefined {
  const untilTicks = fromTicks + UNPACKED_TICKS
  const firstTicks = fromTicks - longestBack(state)
  const lastTicks = untilTicks + EDGE_TICKS
  const timeline = unpackBetween(state.timeline, firstTicks, lastTicks)
  return timeline && { fromTicks, untilTicks, timeline: trim(timeline, firstTicks, lastTicks) }
}

/** The longest look-back of the outputs. */
const longestBack = ({ channel: { outputs, segmentMs } }: ChannelState): number =>
  Math.max(
    ...outputs.map(({ windowMs, markers, breakPolicy }) =>
      backOf(styleOf(segmentMs, windowMs, markers).windowTicks, breakPolicy),
    ),
  )

/** Keeps only the spans needed: whole days of ten thousand channels do not fit into memory. */
function trim({ version, runs }: Timeline, firstTicks: number, lastTicks: number): Timeline {
  return { version, runs: runs.map((run) => trimRun(run, firstTicks, lastTicks)) }
}

function trimRun(run: Run, firstTicks: number, lastTicks: number): Run {
  // A run without a discontinuity number continues the run before, which its first span is compared with.
  const first = run.discontinuity === null ? 0 : Math.max(0, lastIndexBy(run.spans, startTicksOf, firstTicks))
  const end = lastIndexBy(run.spans, startTicksOf, lastTicks) + 1
  return { ...run, spans: run.spans.slice(first, end) }
}
