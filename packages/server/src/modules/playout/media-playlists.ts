import type { ChannelState } from '@continuity/core/feed/channel-state'
import type { FeedOutput } from '@continuity/core/feed/feed-message'
import { createSegmentTexts } from '@continuity/core/hls/segment-texts'
import { ticksOf } from '@continuity/core/time/ticks'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import type { Timeline } from '@continuity/core/timeline/run'
import { windowAt } from '@continuity/core/timeline/window'
import type { AppError } from '../../platform/errors.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { anAnswer, aRefusal } from './answers.ts'
import type { AudienceCounter } from './audience/audience-counter.ts'
import { ChannelOffline, ShiftInvalid, ShiftOutOfReach } from './errors.ts'
import { createHotChannels } from './hot-channels.ts'
import { PLAYLIST_TYPE } from './multivariant.ts'
import { isPlain, keyOf, readPlaylistQuery } from './playlist-address.ts'
import { createPlaylistCache, type Held } from './playlist-cache.ts'
import { type PlaylistOrder, printPlaylistAt } from './print-playlist.ts'

export interface MediaPlaylistsOptions {
  /** What stands before the place of a segment in the media store. All ASCII. */
  readonly mediaBase: string
  readonly live: LiveView
  readonly metrics: Metrics
  /** Counts viewers, where they are counted. */
  readonly counter: Pick<AudienceCounter, 'outputOf'> | undefined
}

/** The media playlists of all outputs, each made once for all of its viewers. */
export interface MediaPlaylists {
  /** The answer that was made already. */
  find(path: string, query: string, nowMs: number): Held | undefined
  make(order: MakeOrder): Held
  /** The part of a channel's timeline around a time. */
  timelineAt(state: ChannelState, ticks: number, nowMs: number): Timeline
  /** Throws where a viewer who is so far behind finds nothing. */
  requireOnAir(state: ChannelState, shiftMs: number, nowMs: number): void
  forget(channelId: string): void
  sweep(nowMs: number): void
}

export interface MakeOrder {
  readonly state: ChannelState
  readonly output: FeedOutput
  readonly rung: string
  readonly path: string
  readonly query: string
  readonly nowMs: number
}

/** What nobody has asked for in this time is forgotten: twenty times what a player waits between two questions. */
const UNASKED_MS = 60_000

/** Two texts of sixteen segments for four rungs of ten thousand channels take about as many. */
const KEPT_CHARACTERS = 100_000_000

/** Those of viewers of the past are kept apart, or requests for many shifts would drop the texts of all live playlists. */
const KEPT_SHIFTED_CHARACTERS = 20_000_000

/** As long as a cache in front may answer for us. A segment is listed a second late at most, and all are alike. */
const FRESH = 'max-age=1'

export function createMediaPlaylists(options: MediaPlaylistsOptions): MediaPlaylists {
  const { mediaBase, live, metrics, counter } = options
  const served = metrics.counter('playlists_served_total', 'Requests for media playlists answered.').series()
  const made = metrics.counter('playlists_rendered_total', 'Answers to them that had to be made.').series()
  const texts = createSegmentTexts({ mediaBase, keptCharacters: KEPT_CHARACTERS })
  const shiftedTexts = createSegmentTexts({ mediaBase, keptCharacters: KEPT_SHIFTED_CHARACTERS })
  const hot = createHotChannels()
  const cache = createPlaylistCache()
  metrics.gauge('playlists_held', 'Media playlists that are held for those who ask.', cache.count)
  metrics.gauge('timelines_unpacked', 'Parts of timelines that are unpacked.', hot.count)
  metrics.gauge('segment_text_characters', 'Segment lines cached for live playlists.', texts.keptCharacters)
  metrics.gauge(
    'shifted_segment_text_characters',
    'Segment lines cached for playlists of the past.',
    shiftedTexts.keptCharacters,
  )

  const print = (
    order: PlaylistOrder,
    path: string,
    shiftMs: number,
    nowMs: number,
  ): Omit<Held, 'askedMs'> => {
    const { state, output, atTicks } = order
    const { text, untilTicks } = printPlaylistAt(order, hot.unpack(state, atTicks, nowMs), {
      live,
      texts: shiftMs === 0 ? texts : shiftedTexts,
    })
    made.add()
    const answer =
      text === undefined
        ? aRefusal(refusalAt(state, atTicks, shiftMs), path, FRESH)
        : anAnswer(PLAYLIST_TYPE, FRESH, text)
    return {
      channelId: state.channel.channelId,
      answer,
      counted: text === undefined ? undefined : counter?.outputOf(state.channel, output),
      shiftMs,
      shiftTicks: ticksOf(shiftMs),
      fromTicks: atTicks,
      untilTicks,
    }
  }

  return {
    find(path, query, nowMs) {
      const held = cache.find(isPlain(query) ? path : keyOf(path, query))
      if (held === undefined) return undefined
      const atTicks = ticksOf(nowMs) - held.shiftTicks
      // Not before either: a clock may be set back.
      if (atTicks < held.fromTicks || atTicks >= held.untilTicks) return undefined
      held.askedMs = nowMs
      served.add()
      return held
    },
    make({ state, output, rung, path, query, nowMs }) {
      const asked = readPlaylistQuery(query)
      if (asked === undefined) throw ShiftInvalid()
      const { shiftMs, isDelta } = asked
      const order = { state, output, rung, isDelta, atTicks: ticksOf(nowMs - shiftMs) }
      const held = { ...print(order, path, shiftMs, nowMs), askedMs: nowMs }
      cache.keep(keyOf(path, query), held)
      served.add()
      return held
    },
    timelineAt: (state, ticks, nowMs) => hot.unpack(state, ticks, nowMs).timeline,
    requireOnAir(state, shiftMs, nowMs) {
      const atTicks = ticksOf(nowMs - shiftMs)
      const { timeline } = hot.unpack(state, atTicks, nowMs)
      if (windowAt(timeline, atTicks, 1, live) === undefined) throw refusalAt(state, atTicks, shiftMs)
    },
    forget(channelId) {
      cache.forget(channelId)
      hot.forget(channelId)
    },
    sweep(nowMs) {
      cache.sweep(nowMs - UNASKED_MS)
      hot.sweep(nowMs - UNASKED_MS)
    },
  }
}

/** Why there is nothing at a time. */
function refusalAt({ timeline }: ChannelState, atTicks: number, shiftMs: number): AppError {
  const first = timeline.runs[0]
  const isBefore = shiftMs > 0 && first !== undefined && atTicks < first.startTicks
  return isBefore ? ShiftOutOfReach() : ChannelOffline()
}
