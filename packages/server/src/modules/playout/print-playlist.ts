import type { ChannelState } from '@continuity/core/feed/channel-state'
import { delayOf, type FeedOutput } from '@continuity/core/feed/feed-message'
import { listDeltaTexts, listTexts, styleOf } from '@continuity/core/hls/media-playlist'
import type { SegmentTexts } from '@continuity/core/hls/segment-texts'
import { breaksIn } from '@continuity/core/timeline/breaks'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import { nextChangeTicks } from '@continuity/core/timeline/next-change'
import { windowAt } from '@continuity/core/timeline/window'
import type { Unpacked } from './unpacked.ts'

export interface PlaylistParams {
  readonly state: ChannelState
  readonly output: FeedOutput
  readonly rung: string
  readonly isDelta: boolean
  /** In the time of the timeline, which is earlier by the delay of the output. */
  readonly atTicks: number
}

export interface PrintedPlaylist {
  /** Undefined if the channel is off air. */
  readonly text: string | undefined
  readonly untilTicks: number
}

/** The media playlist at a time, and until when it is valid. */
export function printPlaylistAt(
  { state, output, rung, isDelta, atTicks }: PlaylistParams,
  { timeline, untilTicks }: Unpacked,
  { live, texts }: { readonly live: LiveView; readonly texts: SegmentTexts },
): PrintedPlaylist {
  // The timeline after this part is not unpacked here.
  const until = Math.min(untilTicks, nextChangeTicks(timeline, atTicks))
  const style = styleOf(state.channel.segmentMs, output.windowMs, output.markers, delayOf(output))
  const window = windowAt(timeline, atTicks, style.windowTicks, live)
  if (window === undefined) return { text: undefined, untilTicks: until }
  const breaks = breaksIn(timeline, window, output.breakPolicy, live)
  const list = isDelta ? listDeltaTexts : listTexts
  // Joined into a flat string, since it is sent many times; concatenation would flatten it at each send.
  return { text: list({ window, breaks, style, rung, texts, live }).join(''), untilTicks: until }
}
