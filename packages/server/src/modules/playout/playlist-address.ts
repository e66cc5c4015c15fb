import { SHIFT_MAXIMUM_MS } from '@continuity/core/timeline/packed'

/** What a request asks for under `/channels/`. */
export interface Asked {
  readonly channelId: string
  readonly distributor: string
  /** The last part of the address: `720p.m3u8`, `index.m3u8`, `epg.xml`. */
  readonly file: string
}

export const CHANNELS_PATH = '/channels/'

/** As the router of the framework spells it. */
export const playoutAddresses = ['/channels/:channel/:distributor/:file'] as const

/** The last part of the address that players report events to. */
export const EVENTS_FILE = 'cmcd'

export function readPath(path: string): Asked | undefined {
  const parts = path.slice(CHANNELS_PATH.length).split('/')
  const [channelId = '', distributor = '', file = ''] = parts
  return parts.length === 3 ? { channelId, distributor, file } : undefined
}

/** How a media playlist is asked for. */
export interface PlaylistQuery {
  readonly shiftMs: number
  readonly isDelta: boolean
}

/** Viewers that come together come with the same shift, and share its bytes. */
export const SHIFT_STEP_MS = 10_000

/** Undefined where the shift is out of bounds. What else stands in the query is somebody else's business. */
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

/** As most players ask: with the session that the multivariant playlist gave them, and nothing else. */
export const isPlain = (query: string): boolean =>
  query === '' || (query.startsWith('sid=') && !query.includes('&'))

/** What an answer is held under: all that it depends on. */
export function keyOf(path: string, query: string): string {
  if (isPlain(query)) return path
  const asked = readPlaylistQuery(query)
  // Nothing is held under this one.
  if (asked === undefined) return `${path}?`
  const { shiftMs, isDelta } = asked
  return shiftMs === 0 && !isDelta ? path : `${path}?${shiftMs}${isDelta ? '&delta' : ''}`
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** How far behind a viewer is who begins at that time, in whole steps; undefined: it cannot be. */
export function readStart(text: string, nowMs: number): number | undefined {
  // A plus that was not escaped has become a space on the way.
  const time = text.replace(' ', '+')
  const agoMs = TIME.test(time) ? nowMs - Date.parse(time) : Number.NaN
  if (!(agoMs >= 0 && agoMs <= SHIFT_MAXIMUM_MS)) return undefined
  // Rounded down: a player begins some segments before the end of its window, and misses nothing of what it came for.
  return Math.floor(agoMs / SHIFT_STEP_MS) * SHIFT_STEP_MS
}
