import type { ChannelState } from '@continuity/core/feed/channel-state'
import { delayOf, type FeedOutput } from '@continuity/core/feed/feed-message'
import { createSegmentTexts } from '@continuity/core/hls/segment-texts'
import { ticksOf } from '@continuity/core/time/ticks'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import type { Timeline } from '@continuity/core/timeline/run'
import { windowAt } from '@continuity/core/timeline/window'
import type { AppError } from '../../platform/errors.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { anAnswer, anErrorAnswer } from './answers.ts'
import type { AudienceCounter } from './audience/audience-counter.ts'
import { ChannelOffline, ShiftInvalid, ShiftOutOfReach } from './errors.ts'
import { createHotChannels } from './hot-channels.ts'
import { PLAYLIST_TYPE } from './multivariant.ts'
import { isPlain, keyOf, longestShift, readPlaylistQuery } from './playlist-address.ts'
import { type CachedPlaylist, createPlaylistCache } from './playlist-cache.ts'
import { type PlaylistParams, printPlaylistAt } from './print-playlist.ts'

export interface MediaPlaylistsOptions {
  /** URL prefix of object keys in the media store. ASCII only. */
  readonly mediaBase: string
  readonly live: LiveView
  readonly metrics: Metrics
  /** Undefined if viewers are not counted. */
  readonly counter: Pick<AudienceCounter, 'outputOf'> | undefined
}

/** The media playlists of all outputs, each rendered once for all of its viewers. */
export interface MediaPlaylists {
  /** The cached playlist, if it is still valid. */
  find(path: string, query: string, nowMs: number): CachedPlaylist | undefined
  make(options: MakeOptions): CachedPlaylist
  /** The part of a channel's timeline around a time. */
  timelineAt(state: ChannelState, ticks: number, nowMs: number): Timeline
  /** Throws if there is nothing on air on an output at this shift. */
  requireOnAir(state: ChannelState, output: FeedOutput, shiftMs: number, nowMs: number): void
  evict(channelId: string): void
  sweep(nowMs: number): void
}

export interface MakeOptions {
  readonly state: ChannelState
  readonly output: FeedOutput
  readonly rung: string
  readonly path: string
  readonly query: string
  readonly nowMs: number
}

/** Entries not requested for this long are evicted: twenty times the reload interval of a player. */
const IDLE_MS = 60_000

/** About two texts of sixteen segments for four rungs of ten thousand channels. */
const KEPT_CHARACTERS = 100_000_000

/** A separate cache for time-shifted playlists, so that requests for many shifts do not evict the texts of live playlists. */
const KEPT_SHIFTED_CHARACTERS = 20_000_000

/** Caches in front may delay a new segment by at most a second. */
const FRESH = 'max-age=1'

export function createMediaPlaylists(options: MediaPlaylistsOptions): MediaPlaylists {
  const { mediaBase, live, metrics, counter } = options
  const served = metrics.counter('playlists_served_total', 'Media playlist requests served.').series()
  const made = metrics.counter('playlists_rendered_total', 'Media playlists rendered.').series()
  const texts = createSegmentTexts({ mediaBase, keptCharacters: KEPT_CHARACTERS })
  const shiftedTexts = createSegmentTexts({ mediaBase, keptCharacters: KEPT_SHIFTED_CHARACTERS })
  const hot = createHotChannels()
  const cache = createPlaylistCache()
  metrics.gauge('playlists_cached', 'Media playlists in the cache.', cache.count)
  metrics.gauge('timelines_unpacked', 'Unpacked parts of timelines in the cache.', hot.count)
  metrics.gauge(
    'segment_text_characters',
    'Characters of segment lines cached for live playlists.',
    texts.keptCharacters,
  )
  metrics.gauge(
    'shifted_segment_text_characters',
    'Characters of segment lines cached for time-shifted playlists.',
    shiftedTexts.keptCharacters,
  )

  const print = (
    params: PlaylistParams,
    path: string,
    shiftMs: number,
    nowMs: number,
  ): Omit<CachedPlaylist, 'requestedMs'> => {
    const { state, output, atTicks } = params
    const { text, untilTicks } = printPlaylistAt(params, hot.unpack(state, atTicks, nowMs), {
      live,
      texts: shiftMs === 0 ? texts : shiftedTexts,
    })
    made.add()
    const answer =
      text === undefined
        ? anErrorAnswer(errorAt(state, atTicks, shiftMs), path, FRESH)
        : anAnswer(PLAYLIST_TYPE, FRESH, text)
    return {
      channelId: state.channel.channelId,
      answer,
      counted: text === undefined ? undefined : counter?.outputOf(state.channel, output),
      shiftMs,
      behindTicks: ticksOf(shiftMs + delayOf(output)),
      fromTicks: atTicks,
      untilTicks,
    }
  }

  return {
    find(path, query, nowMs) {
      const cached = cache.find(isPlain(query) ? path : keyOf(path, query))
      if (cached === undefined) return undefined
      const atTicks = ticksOf(nowMs) - cached.behindTicks
      // Also not before: a clock may be set back.
      if (atTicks < cached.fromTicks || atTicks >= cached.untilTicks) return undefined
      cached.requestedMs = nowMs
      served.add()
      return cached
    },
    make({ state, output, rung, path, query, nowMs }) {
      const parsed = readPlaylistQuery(query)
      const longestMs = longestShift(output)
      if (parsed === undefined || parsed.shiftMs > longestMs) throw ShiftInvalid(longestMs)
      const { shiftMs, isDelta } = parsed
      const atTicks = ticksOf(nowMs - shiftMs - delayOf(output))
      const params = { state, output, rung, isDelta, atTicks }
      const rendered = { ...print(params, path, shiftMs, nowMs), requestedMs: nowMs }
      cache.keep(keyOf(path, query), rendered)
      served.add()
      return rendered
    },
    timelineAt: (state, ticks, nowMs) => hot.unpack(state, ticks, nowMs).timeline,
    requireOnAir(state, output, shiftMs, nowMs) {
      const atTicks = ticksOf(nowMs - shiftMs - delayOf(output))
      const { timeline } = hot.unpack(state, atTicks, nowMs)
      if (windowAt(timeline, atTicks, 1, live) === undefined) throw errorAt(state, atTicks, shiftMs)
    },
    evict(channelId) {
      cache.evict(channelId)
      hot.evict(channelId)
    },
    sweep(nowMs) {
      cache.sweep(nowMs - IDLE_MS)
      hot.sweep(nowMs - IDLE_MS)
    },
  }
}

/** The error for a time without a playlist. */
export function errorAt({ timeline }: ChannelState, atTicks: number, shiftMs: number): AppError {
  const first = timeline.runs[0]
  const isBefore = shiftMs > 0 && first !== undefined && atTicks < first.startTicks
  return isBefore ? ShiftOutOfReach() : ChannelOffline()
}
