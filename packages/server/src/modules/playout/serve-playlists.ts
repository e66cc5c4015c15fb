import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import type { FeedOutput } from '@continuity/core/feed/feed-message'
import type { Ladder } from '@continuity/core/packaging/ladder'
import { type LiveView, noLive } from '@continuity/core/timeline/discontinuity'
import { InternalError } from '../../http/errors.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { type Answer, aRefusal, send } from './answers.ts'
import type { Audience } from './audience/open-audience.ts'
import type { ChannelStore } from './channel-store.ts'
import { ChannelsNotReceived, NothingPlayed, StartInvalid } from './errors.ts'
import { createGuides, isGuideForm } from './guide.ts'
import { createMediaPlaylists, type MediaPlaylists } from './media-playlists.ts'
import { createMultivariant } from './multivariant.ts'
import { type Asked, CHANNELS_PATH, readPath, readStart } from './playlist-address.ts'
import type { Held } from './playlist-cache.ts'
import { takeEvents } from './take-events.ts'

export interface ServeOptions {
  readonly store: Pick<ChannelStore, 'find'>
  readonly clock: Clock
  readonly ladder: Ladder
  /** What stands before the place of a segment in the media store. All ASCII. */
  readonly mediaBase: string
  readonly live?: LiveView
  readonly metrics: Metrics
  /** Undefined where viewers are not counted. */
  readonly audience?: Pick<Audience, 'ids' | 'counter' | 'isExcluded'> | undefined
  /** Events of players that are taken in a second. */
  readonly reportsPerSecond?: number
  /** Whether a channel that the node does not know does not exist. Before that, another node may know it. */
  readonly knowsAll: () => boolean
  /** The server takes no new connections, and wants to be rid of those that it has. */
  readonly isClosing: () => boolean
  /** Something failed that is nobody's business but ours. */
  readonly onFault: (error: unknown) => void
}

/** What a node answers under `/channels/`, all of it from memory: nothing is waited for on the way. */
export interface Playlists {
  /** False where the request is somebody else's. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
  /** A channel has changed. */
  forget(channelId: string): void
  readonly timelineAt: MediaPlaylists['timelineAt']
  /** Forgets what nobody asks for; to be called every few seconds. */
  sweep(): void
}

const MULTIVARIANT = 'index.m3u8'
const EXTENSION = '.m3u8'

export function servePlaylists(options: ServeOptions): Playlists {
  const { store, clock, ladder, metrics, live = noLive, audience } = options
  const refused = metrics.counter('playout_refused_total', 'Requests under /channels/ that were refused.')
  const rungs = new Set(ladder.map(({ name }) => `${name}${EXTENSION}`))
  const mediaPlaylists = createMediaPlaylists({ ...options, live, counter: audience?.counter })
  const printMultivariant = createMultivariant(ladder)
  const guides = createGuides()
  const tookEvents = takeEvents(options)

  /** An access log does not tell who is a monitor: there it has an id that nobody signed, which counts nothing. */
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
    const { state } = found
    const start = new URLSearchParams(query).get('start')
    const shiftMs = start === null ? 0 : readStart(start, nowMs)
    if (shiftMs === undefined) throw StartInvalid()
    mediaPlaylists.requireOnAir(state, shiftMs, nowMs)
    return printMultivariant(state.channel, shiftMs, mint(found, request, nowMs))
  }
  const answerFor = (request: IncomingMessage, path: string, query: string, nowMs: number): Answer | Held => {
    const asked = readPath(path)
    const found = asked && findOutput(store, asked)
    if (found === undefined) throw options.knowsAll() ? NothingPlayed() : ChannelsNotReceived()
    const { file, state, output } = found
    if (rungs.has(file)) {
      const rung = file.slice(0, -EXTENSION.length)
      return mediaPlaylists.make({ state, output, rung, path, query, nowMs })
    }
    if (file === MULTIVARIANT) return answerMultivariant(found, request, query, nowMs)
    if (isGuideForm(file)) return guides.answer(state, output, file, nowMs)
    throw NothingPlayed()
  }
  const refuse = (error: unknown, path: string): Answer => {
    if (error instanceof AppError) {
      refused.series({ code: error.kind.code }).add()
      return aRefusal(error, path, 'max-age=1')
    }
    options.onFault(error)
    return aRefusal(InternalError(error), path, 'no-store')
  }
  const answerTo = (request: IncomingMessage, path: string, query: string, nowMs: number): Answer | Held => {
    try {
      return mediaPlaylists.find(path, query, nowMs) ?? answerFor(request, path, query, nowMs)
    } catch (error) {
      return refuse(error, path)
    }
  }
  /** Whatever goes wrong with it, the viewer has its playlist. */
  const count = (request: IncomingMessage, { counted, shiftMs }: Held, query: string, nowMs: number) => {
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
      // RFC 9112 §3.2 makes it a fault, which is told elsewhere.
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
      } else send(request, response, found)
      return true
    },
    forget(channelId) {
      mediaPlaylists.forget(channelId)
      guides.forget(channelId)
    },
    timelineAt: mediaPlaylists.timelineAt,
    sweep: () => mediaPlaylists.sweep(clock()),
  }
}

interface Found extends Asked {
  readonly state: ChannelState
  readonly output: FeedOutput
}

function findOutput(store: Pick<ChannelStore, 'find'>, asked: Asked): Found | undefined {
  const state = store.find(asked.channelId)
  const output = state?.channel.outputs.find(({ distributor }) => distributor === asked.distributor)
  return state === undefined || output === undefined ? undefined : { ...asked, state, output }
}
