import { delayOf, type FeedOutput } from '@continuity/core/feed/feed-message'
import { SHIFT_MAXIMUM_MS } from '@continuity/core/timeline/codec/packed'

/** The parsed path of a request under `/channels/`. */
export interface ParsedPath {
  readonly channelId: string
  readonly distributor: string
  /** The last part of the address: `720p.m3u8`, `index.m3u8`, `epg.xml`. */
  readonly file: string
}

export const CHANNELS_PATH = '/channels/'

/** In the syntax of the framework's router. */
export const playoutAddresses = ['/channels/:channel/:distributor/:file'] as const

/** The last part of the address that players report events to. */
export const EVENTS_FILE = 'cmcd'

export function readPath(path: string): ParsedPath | undefined {
  const parts = path.slice(CHANNELS_PATH.length).split('/')
  const [channelId = '', distributor = '', file = ''] = parts
  return parts.length === 3 ? { channelId, distributor, file } : undefined
}

/** The parsed query of a media playlist request. */
export interface PlaylistQuery {
  readonly shiftMs: number
  readonly isDelta: boolean
}

/** Shifts are rounded, so that viewers who start together share a cached playlist. */
export const SHIFT_STEP_MS = 10_000

/**
 * Undefined if the shift is malformed or longer than any output allows. Other arguments are ignored.
 */
export function readPlaylistQuery(query: string): PlaylistQuery | undefined {
  let shiftMs = 0
  let isDelta = false
  for (const pair of query.split('&')) {
    if (pair.startsWith('shift_ms=')) shiftMs = readShift(pair.slice('shift_ms='.length))
    else if (pair === '_HLS_skip=YES' || pair === '_HLS_skip=v2') isDelta = true
  }
  return Number.isNaN(shiftMs) ? undefined : { shiftMs, isDelta }
}

function readShift(text: string): number {
  const shiftMs = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN
  return shiftMs <= SHIFT_MAXIMUM_MS && shiftMs % SHIFT_STEP_MS === 0 ? shiftMs : Number.NaN
}

/** How far a viewer can go back on an output: its delay and the shift are a day together, at most. */
export const longestShift = (output: FeedOutput): number => SHIFT_MAXIMUM_MS - delayOf(output)

/** Most players send only the session id of the multivariant playlist. */
export const isPlain = (query: string): boolean =>
  query === '' || (query.startsWith('sid=') && !query.includes('&'))

/** The cache key of a response: everything it depends on. */
export function keyOf(path: string, query: string): string {
  if (isPlain(query)) return path
  const parsed = readPlaylistQuery(query)
  // Nothing is cached under this key.
  if (parsed === undefined) return `${path}?`
  const { shiftMs, isDelta } = parsed
  return shiftMs === 0 && !isDelta ? path : `${path}?${shiftMs}${isDelta ? '&delta' : ''}`
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/**
 * The shift of a viewer who starts at that time, rounded down to a step; undefined if it is malformed, in the future or
 * longer than `longestMs` ago.
 */
export function readStart(text: string, nowMs: number, longestMs: number): number | undefined {
  // An unescaped plus is decoded as a space.
  const time = text.replace(' ', '+')
  const agoMs = TIME.test(time) ? nowMs - Date.parse(time) : Number.NaN
  if (!(agoMs >= 0 && agoMs <= longestMs)) return undefined
  // Rounded down: a player starts some segments before the end of its window, so that it misses nothing.
  return Math.floor(agoMs / SHIFT_STEP_MS) * SHIFT_STEP_MS
}
