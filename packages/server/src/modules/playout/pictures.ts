import type { ChannelState } from '@continuity/core/feed/channel-state'
import { delayOf, type FeedOutput } from '@continuity/core/feed/feed-message'
import { ticksOf } from '@continuity/core/time/ticks'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import { nextChangeTicks } from '@continuity/core/timeline/next-change'
import { pictureAt } from '@continuity/core/timeline/picture'
import { type Answer, aRedirect } from './answers.ts'
import { ShiftInvalid } from './errors.ts'
import { errorAt, type MediaPlaylists } from './media-playlists.ts'
import { longestShift, readPlaylistQuery } from './playlist-address.ts'

export const PICTURE = 'now.jpg'

export interface PicturesOptions {
  /** URL prefix of object keys in the media store. ASCII only. */
  readonly mediaBase: string
  readonly live: LiveView
  readonly timelineAt: MediaPlaylists['timelineAt']
}

export interface Pictures {
  answer(state: ChannelState, output: FeedOutput, query: string, nowMs: number): Answer
}

/**
 * Pictures of what is on the air: redirects to the stills beside the segments, which caches keep permanently. Not cached:
 * it takes less time to find one than to send the response.
 */
export function createPictures({ mediaBase, live, timelineAt }: PicturesOptions): Pictures {
  return {
    answer(state, output, query, nowMs) {
      const parsed = readPlaylistQuery(query)
      const longestMs = longestShift(output)
      if (parsed === undefined || parsed.shiftMs > longestMs) throw ShiftInvalid(longestMs)
      const atTicks = ticksOf(nowMs - delayOf(output) - parsed.shiftMs)
      const timeline = timelineAt(state, atTicks, nowMs)
      const key = pictureAt(timeline, atTicks, live)
      if (key === undefined) throw errorAt(state, atTicks, parsed.shiftMs)
      const seconds = secondsUntil(nextChangeTicks(timeline, atTicks) - atTicks)
      return aRedirect(`${mediaBase}${key}`, `max-age=${seconds}`)
    },
  }
}

/** More than a segment. Where the next one is not planned yet, a change may come at any time. */
const SECONDS_MAXIMUM = 10

/** Rounded up: caches may delay a new picture by less than a second, as they do with playlists. */
const secondsUntil = (ticks: number): number => Math.min(Math.ceil(ticks / ticksOf(1_000)), SECONDS_MAXIMUM)
