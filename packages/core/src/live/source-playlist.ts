import {
  cueIn,
  type DatedCue,
  readBase64Cue,
  readCueOut,
  readDateRange,
  type SourceCue,
} from './source-cues.ts'

/** A range of a resource: `[from, to)`. */
export interface SourceRange {
  readonly from: number
  readonly to: number
}

export interface SourcePart {
  readonly url: string
  /** Undefined for the whole resource. */
  readonly range: SourceRange | undefined
}

/** AES-128 by EXT-X-KEY; other methods are rejected when the playlist is read. */
export interface SourceKey {
  readonly url: string
  /** 16 bytes in hexadecimal. */
  readonly iv: string
}

export interface SourceSegment extends SourcePart {
  readonly sequence: number
  /**
   * EXT-X-DISCONTINUITY precedes it: another clock, or another format. Not a number by
   * EXT-X-DISCONTINUITY-SEQUENCE: many packagers omit that tag, and the count would fall when a tag leaves the
   * window.
   */
  readonly isDiscontinuous: boolean
  readonly durationMs: number
  readonly key: SourceKey | undefined
  /** The initialization section of fMP4. */
  readonly map: SourcePart | undefined
  /** EXT-X-PROGRAM-DATE-TIME, its own or derived from an earlier one. */
  readonly programMs: number | undefined
  /** Cues before it. */
  readonly cues: readonly SourceCue[]
}

export interface SourceMediaPlaylist {
  readonly kind: 'media'
  readonly targetMs: number
  readonly segments: readonly SourceSegment[]
  /** Cues with their own time, anywhere in the playlist. */
  readonly datedCues: readonly DatedCue[]
  /** It has ended, or is not a live stream: no segments will follow. */
  readonly isEnded: boolean
}

export interface SourceVariant {
  readonly url: string
  readonly bandwidth: number
  /** 0 if the playlist does not state it. */
  readonly height: number
  /** Address of its audio, if that is separate. */
  readonly audioUrl: string | undefined
}

export interface SourceMultivariant {
  readonly kind: 'multivariant'
  readonly variants: readonly SourceVariant[]
}

export interface RejectedPlaylist {
  readonly kind: 'rejected'
  readonly code: 'source.not_hls' | 'source.playlist_invalid' | 'source.encrypted'
  readonly message: string
}

/** More segments are not a live window: with the shortest segments allowed, it would be hours. */
const SEGMENTS_MOST = 5_000
const VARIANTS_MOST = 100
/** Before one segment, and in a playlist. */
const CUES_MOST = 10
const DATED_CUES_MOST = 1_000

/**
 * Reads the playlist of a live source by RFC 8216, as tolerant as players are: unknown tags are skipped. What
 * cannot be played is rejected with a code.
 */
export function readSourcePlaylist(
  text: string,
  url: string,
): SourceMediaPlaylist | SourceMultivariant | RejectedPlaylist {
  // A byte order mark is trimmed too.
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  if (lines[0] !== '#EXTM3U') {
    return rejected('source.not_hls', 'The response is not an HLS playlist.')
  }
  const isMultivariant = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'))
  return isMultivariant ? readMultivariant(lines, url) : readMedia(lines, url)
}

function readMultivariant(lines: readonly string[], url: string): SourceMultivariant | RejectedPlaylist {
  const sounds = new Map<string, string>()
  const variants: NamedVariant[] = []
  let stream: Attributes | undefined
  for (const line of lines) {
    if (line.startsWith('#EXT-X-MEDIA:')) {
      const media = readAttributes(line)
      const group = media.get('GROUP-ID')
      const address = resolve(media.get('URI'), url)
      if (media.get('TYPE') !== 'AUDIO' || group === undefined || address === undefined) continue
      // The default one, otherwise the first.
      if (!sounds.has(group) || media.get('DEFAULT') === 'YES') sounds.set(group, address)
    } else if (line.startsWith('#EXT-X-STREAM-INF:')) stream = readAttributes(line)
    else if (line !== '' && !line.startsWith('#') && stream !== undefined) {
      const address = resolve(line, url)
      if (address !== undefined && variants.length < VARIANTS_MOST) {
        const height = Number(/^\d{1,5}x(\d{1,5})$/.exec(stream.get('RESOLUTION') ?? '')?.[1] ?? 0)
        const bandwidth = readNumber(stream.get('BANDWIDTH')) ?? 0
        const isSoundAlone = SOUND_ALONE.test(stream.get('CODECS') ?? '')
        variants.push({ url: address, bandwidth, height, group: stream.get('AUDIO'), isSoundAlone })
      }
      stream = undefined
    }
  }
  if (variants.length === 0) return invalid('The multivariant playlist contains no variant.')
  const withPicture = variants.filter(({ isSoundAlone }) => !isSoundAlone)
  return {
    kind: 'multivariant',
    variants: (withPicture.length > 0 ? withPicture : variants).map(({ group, url, bandwidth, height }) => ({
      url,
      bandwidth,
      height,
      audioUrl: group === undefined ? undefined : sounds.get(group),
    })),
  }
}

interface NamedVariant extends Omit<SourceVariant, 'audioUrl'> {
  readonly group: string | undefined
  /** A variant for players without a screen, or with very little bandwidth. */
  readonly isSoundAlone: boolean
}

/** Only audio codecs. */
const SOUND_ALONE =
  /^\s*(mp4a|ac-3|ec-3|ac-4|opus|flac|fLaC|alac)[^,]*(,\s*(mp4a|ac-3|ec-3|ac-4|opus|flac|fLaC|alac)[^,]*)*$/i

interface MediaState {
  readonly url: string
  readonly segments: SourceSegment[]
  targetMs: number
  sequence: number
  isDiscontinuous: boolean
  durationMs: number | undefined
  range: { readonly length: number; readonly from: number | undefined } | undefined
  /** The end of the previous range and its resource: a range without an offset continues there. */
  rangeEnd: { readonly url: string; readonly at: number } | undefined
  key: { readonly url: string; readonly iv: string | undefined } | undefined
  map: SourcePart | undefined
  programMs: number | undefined
  cues: SourceCue[]
  readonly datedCues: DatedCue[]
  isEnded: boolean
}

function readMedia(lines: readonly string[], url: string): SourceMediaPlaylist | RejectedPlaylist {
  const state: MediaState = {
    url,
    segments: [],
    targetMs: 0,
    sequence: 0,
    isDiscontinuous: false,
    durationMs: undefined,
    range: undefined,
    rangeEnd: undefined,
    key: undefined,
    map: undefined,
    programMs: undefined,
    cues: [],
    datedCues: [],
    isEnded: false,
  }
  for (const line of lines) {
    const fault = line.startsWith('#EXT') ? readTag(state, line) : readAddress(state, line)
    if (fault !== undefined) return fault
    if (state.segments.length > SEGMENTS_MOST) return invalid('The playlist contains too many segments.')
  }
  if (state.targetMs === 0) return invalid('The playlist has no EXT-X-TARGETDURATION.')
  const { targetMs, segments, datedCues, isEnded } = state
  return { kind: 'media', targetMs, segments, datedCues, isEnded }
}

function readTag(state: MediaState, line: string): RejectedPlaylist | undefined {
  const colon = line.indexOf(':')
  const name = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? '' : line.slice(colon + 1)
  switch (name) {
    case '#EXT-X-TARGETDURATION':
      state.targetMs = (readNumber(value) ?? 0) * 1_000
      break
    case '#EXT-X-MEDIA-SEQUENCE':
      state.sequence = readNumber(value) ?? 0
      break
    case '#EXT-X-DISCONTINUITY':
      state.isDiscontinuous = true
      state.programMs = undefined
      break
    case '#EXT-X-ENDLIST':
      state.isEnded = true
      break
    case '#EXT-X-PLAYLIST-TYPE':
      if (value === 'VOD') state.isEnded = true
      break
    case '#EXTINF':
      state.durationMs = readSeconds(value)
      break
    case '#EXT-X-BYTERANGE':
      state.range = readRange(value)
      break
    case '#EXT-X-PROGRAM-DATE-TIME':
      state.programMs = readTime(value)
      break
    case '#EXT-X-CUE-OUT':
      addCue(state, readCueOut(value))
      break
    case '#EXT-X-CUE-IN':
      addCue(state, cueIn)
      break
    case '#EXT-OATCLS-SCTE35':
      addCue(state, readBase64Cue(value))
      break
    case '#EXT-X-DATERANGE':
      if (state.datedCues.length < DATED_CUES_MOST)
        state.datedCues.push(...readDateRange(readAttributes(line)))
      break
    case '#EXT-X-MAP':
      return readMap(state, line)
    case '#EXT-X-KEY':
      return readKey(state, line)
    default:
      break
  }
  return undefined
}

function addCue({ cues }: MediaState, cue: SourceCue | undefined): void {
  if (cue !== undefined && cues.length < CUES_MOST) cues.push(cue)
}

function readMap(state: MediaState, line: string): RejectedPlaylist | undefined {
  const attributes = readAttributes(line)
  const address = resolve(attributes.get('URI'), state.url)
  if (address === undefined) return invalid('EXT-X-MAP has no address.')
  const range = readRange(attributes.get('BYTERANGE') ?? '')
  const from = range?.from ?? 0
  state.map = { url: address, range: range && { from, to: from + range.length } }
  return undefined
}

function readKey(state: MediaState, line: string): RejectedPlaylist | undefined {
  const attributes = readAttributes(line)
  const method = attributes.get('METHOD')
  if (method === 'NONE') {
    state.key = undefined
    return undefined
  }
  const format = attributes.get('KEYFORMAT') ?? 'identity'
  if (method !== 'AES-128' || format !== 'identity') {
    return rejected('source.encrypted', `Segments encrypted by ${method} cannot be read; AES-128 can.`)
  }
  const address = resolve(attributes.get('URI'), state.url)
  if (address === undefined) return invalid('EXT-X-KEY has no address.')
  const iv = /^0x([0-9a-f]{1,32})$/i.exec(attributes.get('IV') ?? '')?.[1]
  state.key = { url: address, iv: iv?.toLowerCase().padStart(32, '0') }
  return undefined
}

function readAddress(state: MediaState, line: string): RejectedPlaylist | undefined {
  const { durationMs, key } = state
  if (line === '' || line.startsWith('#') || durationMs === undefined) return undefined
  const address = resolve(line, state.url)
  if (address === undefined) return invalid('A segment has an invalid address.')
  const range = rangeOf(state, address)
  state.segments.push({
    url: address,
    range,
    sequence: state.sequence,
    isDiscontinuous: state.isDiscontinuous,
    durationMs,
    // The default IV is the media sequence number (RFC 8216 §5.2).
    key: key && { url: key.url, iv: key.iv ?? state.sequence.toString(16).padStart(32, '0') },
    map: state.map,
    programMs: state.programMs,
    cues: state.cues,
  })
  state.sequence += 1
  state.isDiscontinuous = false
  state.cues = []
  state.durationMs = undefined
  state.range = undefined
  state.rangeEnd = range && { url: address, at: range.to }
  if (state.programMs !== undefined) state.programMs += durationMs
  return undefined
}

function rangeOf({ range, rangeEnd }: MediaState, url: string): SourceRange | undefined {
  if (range === undefined) return undefined
  const from = range.from ?? (rangeEnd?.url === url ? rangeEnd.at : 0)
  return { from, to: from + range.length }
}

type Attributes = ReadonlyMap<string, string>

const ATTRIBUTE = /([A-Z0-9-]+)=("[^"]*"|[^,]*)/g

function readAttributes(line: string): Attributes {
  const list = line.slice(line.indexOf(':') + 1)
  const entries = [...list.matchAll(ATTRIBUTE)].map(
    ([, name, value]) => [name!, value!.replaceAll('"', '')] as const,
  )
  return new Map(entries)
}

function readNumber(text: string | undefined): number | undefined {
  const value = /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined
  return value
}

/** EXTINF in whole milliseconds; undefined if it has no duration. */
function readSeconds(value: string): number | undefined {
  const seconds = Number(/^\d{1,6}(\.\d+)?/.exec(value)?.[0])
  return seconds > 0 ? Math.round(seconds * 1_000) : undefined
}

function readRange(
  value: string,
): { readonly length: number; readonly from: number | undefined } | undefined {
  const match = /^(\d{1,15})(?:@(\d{1,15}))?$/.exec(value)
  if (match === null) return undefined
  return { length: Number(match[1]), from: match[2] === undefined ? undefined : Number(match[2]) }
}

function readTime(value: string): number | undefined {
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? undefined : ms
}

/** An absolute HTTP address; undefined for anything else. */
function resolve(address: string | undefined, base: string): string | undefined {
  if (address === undefined || address === '') return undefined
  const url = URL.parse(address, base)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined
}

const rejected = (code: RejectedPlaylist['code'], message: string): RejectedPlaylist => ({
  kind: 'rejected',
  code,
  message,
})

const invalid = (message: string) => rejected('source.playlist_invalid', message)

/** The variant to receive: the best that is not larger than the house format, otherwise the smallest. */
export function chooseVariant(
  { variants }: SourceMultivariant,
  { height }: { readonly height: number },
): SourceVariant {
  const byQuality = variants.toSorted((a, b) => a.height - b.height || a.bandwidth - b.bandwidth)
  return byQuality.findLast((variant) => variant.height <= height) ?? byQuality[0]!
}
