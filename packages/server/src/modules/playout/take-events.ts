import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Audience } from './audience/open-audience.ts'
import type { ChannelStore } from './channel-store.ts'
import { CHANNELS_PATH, EVENTS_FILE, readPath } from './playlist-address.ts'

export interface EventsOptions {
  readonly store: Pick<ChannelStore, 'find'>
  readonly clock: Clock
  /** Undefined if viewers are not counted. */
  readonly audience?: Pick<Audience, 'counter'> | undefined
  readonly isClosing: () => boolean
  readonly onFault: (error: unknown) => void
  /** Of all players together; a rejected report only makes the pauses of a player less exact. */
  readonly reportsPerSecond?: number
}

/** Enough for more than twenty events; players do not send more. */
const BODY_BYTES = 16_384

const REPORTS_PER_SECOND = 5_000

const ENDING = `/${EVENTS_FILE}`
const acceptedHeaders = ['access-control-allow-origin', '*', 'cache-control', 'no-store']
const rejectedHeaders = [...acceptedHeaders, 'content-length', '0', 'connection', 'close']

/** Accepts the events that players report (CMCD v2): `POST /channels/{channel}/{distributor}/cmcd?sid=…`. */
export function takeEvents(options: EventsOptions) {
  const isAllowed = createLimit(options.reportsPerSecond ?? REPORTS_PER_SECOND)

  const count = (path: string, query: string, body: string) => {
    const parsed = readPath(path)
    const state = parsed && options.store.find(parsed.channelId)
    const output = state?.channel.outputs.find(({ distributor }) => distributor === parsed?.distributor)
    const counted = state && output && options.audience?.counter.outputOf(state.channel, output)
    if (counted !== undefined)
      options.audience?.counter.events(counted, { query, body, nowMs: options.clock() })
  }
  /** False if the request is for another handler. The response does not depend on the report or the session. */
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '', method } = request
    if (method !== 'POST' || !url.startsWith(CHANNELS_PATH)) return false
    const at = url.indexOf('?')
    const path = at === -1 ? url : url.slice(0, at)
    if (!path.endsWith(ENDING) || request.headers.host === undefined) return false
    if (options.isClosing()) response.shouldKeepAlive = false
    const end = (status: 204 | 413 | 429) => {
      response.writeHead(status, status === 204 ? acceptedHeaders : rejectedHeaders)
      response.end()
    }
    if (!isAllowed(performance.now())) {
      end(429)
      return true
    }
    let body = ''
    let isTooLarge = false
    request.setEncoding('latin1')
    request.on('data', (chunk: string) => {
      if (isTooLarge) return
      body += chunk
      if (body.length <= BODY_BYTES) return
      isTooLarge = true
      body = ''
      end(413)
    })
    request.on('end', () => {
      if (isTooLarge) return
      try {
        count(path, at === -1 ? '' : url.slice(at + 1), body)
      } catch (error) {
        options.onFault(error)
      }
      end(204)
    })
    // An incomplete report is ignored.
    request.on('error', () => response.destroy())
    return true
  }
}

/** Returns whether one more is allowed in this second. */
function createLimit(most: number): (nowMs: number) => boolean {
  let secondMs = 0
  let taken = 0
  return (nowMs) => {
    if (nowMs - secondMs >= 1_000) {
      secondMs = nowMs
      taken = 0
    }
    taken += 1
    return taken <= most
  }
}
