import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { delayOf, type FeedOutput } from '@continuity/core/feed/feed-message'
import type { Ladder } from '@continuity/core/media/ladder'
import { ticksOf } from '@continuity/core/time/ticks'
import { type LiveView, noLive } from '@continuity/core/timeline/discontinuity'
import { nextChangeTicks } from '@continuity/core/timeline/next-change'
import { pictureAt } from '@continuity/core/timeline/picture'
import { InternalError } from '../../http/errors.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { newId } from '../../platform/crypto/ids.ts'
import { AppError } from '../../platform/errors.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { type Answer, anErrorAnswer, aRedirect, send } from './answers.ts'
import type { Audience } from './audience/open-audience.ts'
import type { ChannelStore } from './channel-store.ts'
import { ChannelsNotReceived, NothingPlayed, ShiftInvalid, StartInvalid } from './errors.ts'
import { createGuides, isGuideForm } from './guide.ts'
import { createMediaPlaylists, errorAt, type MediaPlaylists } from './media-playlists.ts'
import { createMultivariant } from './multivariant.ts'
import {
  CHANNELS_PATH,
  longestShift,
  type ParsedPath,
  readPath,
  readPlaylistQuery,
  readStart,
} from './playlist-address.ts'
import type { CachedPlaylist } from './playlist-cache.ts'
import type { RenderGuide } from './render-guide.ts'
import { takeEvents } from './take-events.ts'

export interface ServeOptions {
  readonly store: Pick<ChannelStore, 'find'>
  readonly clock: Clock
  readonly ladder: Ladder
  /** URL prefix of object keys in the media store. ASCII only. */
  readonly mediaBase: string
  readonly live?: LiveView
  readonly metrics: Metrics
  /** Undefined if viewers are not counted. */
  readonly audience?: Pick<Audience, 'ids' | 'counter' | 'isExcluded'> | undefined
  /** Limit of event reports of players per second. */
  readonly reportsPerSecond?: number
  /** Whether the node has all channels: an unknown channel is then 404 instead of 503, since no other node has it. */
  readonly hasAllChannels: () => boolean
  readonly renderGuide: RenderGuide
  /** Whether the server is closing: keep-alive connections are then closed. */
  readonly isClosing: () => boolean
  /** Called for internal errors. */
  readonly onFault: (error: unknown) => void
}

/** Serves requests under `/channels/` from memory, synchronously; only a guide may have to be rendered first. */
export interface Playlists {
  /** False if the request is for another handler. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** Evicts a channel that has changed. */
  evict(channelId: string): void
  /** Evicts the guides of a channel whose planned programs have changed. */
  evictGuides(channelId: string): void
  readonly timelineAt: MediaPlaylists['timelineAt']
  /** Evicts idle entries; call every few seconds. */
  sweep(): void
}

const MULTIVARIANT = 'index.m3u8'
const EXTENSION = '.m3u8'

export function servePlaylists(options: ServeOptions): Playlists {
  const { store, clock, ladder, metrics, live = noLive, audience } = options
  const rejected = metrics.counter(
    'playout_rejected_total',
    'Rejected requests under /channels/, by error code.',
  )
  const rungs = new Set(ladder.map(({ name }) => `${name}${EXTENSION}`))
  const mediaPlaylists = createMediaPlaylists({ ...options, live, counter: audience?.counter })
  const printMultivariant = createMultivariant(ladder)
  const guides = createGuides(options.renderGuide)
  const pictures = createPictures({ ...options, live, timelineAt: mediaPlaylists.timelineAt })
  const tookEvents = takeEvents(options)

  /** Access logs cannot identify monitors, so a monitor gets an unsigned id there, which is not counted. */
  const mint = ({ state, output }: Found, request: IncomingMessage, nowMs: number): string => {
    if (audience === undefined) return newId(nowMs)
    if (output.audienceSource === 'LOGS' && audience.isExcluded(request)) return newId(nowMs)
    return audience.ids.mint(`${state.channel.channelId}/${output.distributor}`, nowMs)
  }
  const answerMultivariant = (
    found: Found,
    request: IncomingMessage,
    query: string,
    nowMs: number,
  ): Answer => {
    const { state, output } = found
    const start = new URLSearchParams(query).get('start')
    const shiftMs = start === null ? 0 : readStart(start, nowMs, longestShift(output))
    if (shiftMs === undefined) throw StartInvalid()
    mediaPlaylists.requireOnAir(state, output, shiftMs, nowMs)
    return printMultivariant(state.channel, shiftMs, mint(found, request, nowMs))
  }
  const answerFor = (
    request: IncomingMessage,
    path: string,
    query: string,
    nowMs: number,
  ): Answer | CachedPlaylist | Promise<Answer> => {
    const parsed = readPath(path)
    const found = parsed && findOutput(store, parsed)
    if (found === undefined) throw options.hasAllChannels() ? NothingPlayed() : ChannelsNotReceived()
    const { file, state, output } = found
    if (rungs.has(file)) {
      const rung = file.slice(0, -EXTENSION.length)
      return mediaPlaylists.make({ state, output, rung, path, query, nowMs })
    }
    if (file === MULTIVARIANT) return answerMultivariant(found, request, query, nowMs)
    if (file === PICTURE) return pictures.answer(state, output, query, nowMs)
    if (isGuideForm(file)) return guides.answer(state, output, file, nowMs)
    throw NothingPlayed()
  }
  const reject = (error: unknown, path: string): Answer => {
    if (error instanceof AppError) {
      rejected.series({ code: error.kind.code }).add()
      return anErrorAnswer(error, path, 'max-age=1')
    }
    options.onFault(error)
    return anErrorAnswer(InternalError(error), path, 'no-store')
  }
  const answerTo = (
    request: IncomingMessage,
    path: string,
    query: string,
    nowMs: number,
  ): Answer | CachedPlaylist | Promise<Answer> => {
    try {
      return mediaPlaylists.find(path, query, nowMs) ?? answerFor(request, path, query, nowMs)
    } catch (error) {
      return reject(error, path)
    }
  }
  /** Called after the response: errors in counting do not affect viewers. */
  const count = (
    request: IncomingMessage,
    { counted, shiftMs }: CachedPlaylist,
    query: string,
    nowMs: number,
  ) => {
    if (audience === undefined || counted === undefined || request.method !== 'GET') return
    try {
      audience.counter.heartbeat(counted, { request, query, shiftMs, nowMs })
    } catch (error) {
      options.onFault(error)
    }
  }

  return {
    answer(request, response) {
      const { url = '', method } = request
      if (method === 'POST') return tookEvents(request, response)
      if (!url.startsWith(CHANNELS_PATH) || (method !== 'GET' && method !== 'HEAD')) return false
      // A missing Host is invalid by RFC 9112 §3.2; the framework responds to it.
      if (request.headers.host === undefined && request.httpVersion === '1.1') return false
      if (options.isClosing()) response.shouldKeepAlive = false
      const at = url.indexOf('?')
      const path = at === -1 ? url : url.slice(0, at)
      const query = at === -1 ? '' : url.slice(at + 1)
      const nowMs = clock()
      const found = answerTo(request, path, query, nowMs)
      if ('answer' in found) {
        send(request, response, found.answer)
        count(request, found, query, nowMs)
      } else if (found instanceof Promise)
        void found
          .catch((error: unknown) => reject(error, path))
          .then((answer) => send(request, response, answer))
      else send(request, response, found)
      return true
    },
    evict(channelId) {
      mediaPlaylists.evict(channelId)
      guides.evict(channelId)
    },
    evictGuides: guides.evict,
    timelineAt: mediaPlaylists.timelineAt,
    sweep: () => mediaPlaylists.sweep(clock()),
  }
}

interface Found extends ParsedPath {
  readonly state: ChannelState
  readonly output: FeedOutput
}

function findOutput(store: Pick<ChannelStore, 'find'>, parsed: ParsedPath): Found | undefined {
  const state = store.find(parsed.channelId)
  const output = state?.channel.outputs.find(({ distributor }) => distributor === parsed.distributor)
  return state === undefined || output === undefined ? undefined : { ...parsed, state, output }
}

const PICTURE = 'now.jpg'

interface PicturesOptions {
  /** URL prefix of object keys in the media store. ASCII only. */
  readonly mediaBase: string
  readonly live: LiveView
  readonly timelineAt: MediaPlaylists['timelineAt']
}

interface Pictures {
  answer(state: ChannelState, output: FeedOutput, query: string, nowMs: number): Answer
}

/**
 * Pictures of what is on the air: redirects to the stills beside the segments, which caches keep permanently. Not cached:
 * it takes less time to find one than to send the response.
 */
function createPictures({ mediaBase, live, timelineAt }: PicturesOptions): Pictures {
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
