import { createDecipheriv } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createAudioUnpacker } from '@continuity/core/live/packed-audio'
import { readSegmentStart } from '@continuity/core/live/segment-start'
import { type DatedCue, mergeCues, type PlacedCue } from '@continuity/core/live/source-cues'
import {
  readSourcePlaylist,
  type SourceKey,
  type SourceMediaPlaylist,
  type SourcePart,
  type SourceRange,
  type SourceSegment,
} from '@continuity/core/live/source-playlist'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import { faultOfFetching, SourceFault } from './source-fault.ts'
import { createTrackRetry, FIRST_LIMIT_MS } from './track-retry.ts'

/** A segment of the source, decrypted. */
export interface ReceivedSegment {
  readonly kind: 'segment'
  readonly bytes: Uint8Array
  /** The fMP4 initialization section, needed before the first segment and when it changes; empty for MPEG-TS. */
  readonly map: Buffer
  /** Its timestamps or its format do not continue those of the previous segment. */
  readonly isBreak: boolean
  /** Its first timestamp, if found without a decoder. */
  readonly startMs: number | undefined
  readonly durationMs: number
  readonly programMs: number | undefined
  /** Starts and ends of ad breaks in it. */
  readonly cues: readonly PlacedCue[]
}

/** A segment that could not be fetched. */
export interface LostSegment {
  readonly kind: 'lost'
  readonly durationMs: number
}

export type TrackItem = ReceivedSegment | LostSegment

export interface TrackOptions {
  readonly outboundClient: OutboundClient
  readonly url: string
  /** As read when the source was opened. */
  readonly playlist: SourceMediaPlaylist
  /** How long before the end of the playlist reading starts. */
  readonly fromEndMs: number
  readonly signal: AbortSignal
  /** After the first segment, called once per outage instead of throwing; reading continues. */
  readonly onFault?: (fault: SourceFault) => void
}

const PLAYLIST_BYTES = 1_000_000

/**
 * Reads a media playlist from near its end, segment by segment, as it grows. Throws a SourceFault when it
 * cannot be read or is frozen, unless there is `onFault`; the caller may then open it again.
 */
export async function* readTrack(options: TrackOptions): AsyncGenerator<TrackItem, never> {
  const { outboundClient, signal, url, fromEndMs } = options
  const fetcher = createSegmentFetcher(outboundClient, signal)
  const retry = createTrackRetry({ ...options, targetMs: options.playlist.targetMs })
  let { playlist } = options
  let last: SourceSegment | undefined
  const cueReader = createCueReader()
  let lostCues: readonly PlacedCue[] = [] // of lost segments
  let isBroken = false // between the last segment read and the next; lost segments are yielded as such
  for (;;) {
    if (playlist.isEnded) retry.fail(notLive())
    const fresh = freshSegments(playlist, last, fromEndMs)
    for (const segment of retry.hasFailed() ? lastSegments(fresh, fromEndMs) : fresh) {
      isBroken ||= last !== undefined && !continues(segment, last)
      last = segment
      const cues = mergeCues([...lostCues, ...cueReader.read(segment, playlist)])
      const received = await retry.fetchSegment((limitMs) => fetcher.fetch(segment, limitMs))
      if (received === undefined) {
        lostCues = cues.map((cue) => ({ ...cue, offsetMs: 0 }))
        yield { kind: 'lost', durationMs: segment.durationMs }
        continue
      }
      const startMs = readSegmentStart(received.bytes, received.map)
      lostCues = []
      yield { kind: 'segment', ...received, startMs, cues, isBreak: isBroken }
      // After the yield, so that time spent in the encoder does not count as frozen.
      retry.move()
      isBroken = false
    }
    if (retry.isFrozen()) retry.fail(frozen())
    // Half a target duration: the minimum of RFC 8216 for an unchanged playlist (§6.3.4).
    await setTimeout(playlist.targetMs / 2, undefined, { signal })
    const read = await retry.readPlaylist((limitMs) => readMediaPlaylist(options, url, limitMs))
    playlist = read ?? { ...playlist, segments: [], isEnded: false }
  }
}

const notLive = () => new SourceFault('source.not_live', 'The playlist ends: it is a recording.')
const frozen = () => new SourceFault('source.frozen', 'The playlist of the source has no new segments.')

const continues = (segment: SourceSegment, last: SourceSegment): boolean =>
  !segment.isDiscontinuous && segment.sequence === last.sequence + 1 && isSamePart(segment.map, last.map)

/** Segments not read yet. If sequence numbers restart, reading starts near the end again. */
function freshSegments(
  { segments }: SourceMediaPlaylist,
  last: SourceSegment | undefined,
  fromEndMs: number,
): readonly SourceSegment[] {
  const newest = segments.at(-1)?.sequence
  if (newest === undefined) return []
  if (last === undefined || newest < last.sequence) return lastSegments(segments, fromEndMs)
  return segments.filter(({ sequence }) => sequence > last.sequence)
}

/** The last segments with this total duration. */
function lastSegments(segments: readonly SourceSegment[], fromEndMs: number): readonly SourceSegment[] {
  let leftMs = fromEndMs
  const first = segments.findLastIndex(({ durationMs }) => {
    leftMs -= durationMs
    return leftMs <= 0
  })
  return segments.slice(Math.max(0, first))
}

export async function readMediaPlaylist(
  options: Pick<TrackOptions, 'outboundClient' | 'signal'>,
  url: string,
  limitMs = FIRST_LIMIT_MS,
): Promise<SourceMediaPlaylist> {
  const playlist = await readPlaylist(options, url, limitMs)
  if (playlist.kind === 'media') return playlist
  throw new SourceFault('source.playlist_invalid', 'A variant of the source is a multivariant playlist.')
}

export async function readPlaylist(
  { outboundClient, signal }: Pick<TrackOptions, 'outboundClient' | 'signal'>,
  url: string,
  limitMs = FIRST_LIMIT_MS,
) {
  const bytes = await fetchBytes(outboundClient, { url, mostBytes: PLAYLIST_BYTES, limitMs, signal })
  const read = readSourcePlaylist(bytes.toString('utf8'), url)
  if (read.kind === 'rejected') throw new SourceFault(read.code, read.message)
  return read
}

interface CueReader {
  /** The cues of the next segment: its tags, and dated cues within it or announced too late. */
  read(segment: SourceSegment, playlist: SourceMediaPlaylist): readonly PlacedCue[]
}

/** Returns every cue of a playlist once, though many reloads contain it. */
export function createCueReader(): CueReader {
  let seen: ReadonlySet<string> | undefined
  const offsetIn =
    ({ programMs, durationMs }: SourceSegment) =>
    ({ atMs }: DatedCue): number | undefined => {
      const offsetMs = atMs === undefined || programMs === undefined ? 0 : Math.max(0, atMs - programMs)
      return offsetMs < durationMs ? offsetMs : undefined
    }
  return {
    read(segment, { datedCues }) {
      const offsetOf = offsetIn(segment)
      // Cues before the first segment read are over, or another receiver has carried them over.
      const isOld = ({ atMs }: DatedCue) =>
        atMs === undefined || segment.programMs === undefined || atMs < segment.programMs
      const known = seen ?? new Set(datedCues.filter(isOld).map(({ key }) => key))
      // Keep only keys still listed: a source that runs for months has many cues.
      const next = new Set<string>()
      const placed: PlacedCue[] = segment.cues.map((cue) => ({ ...cue, offsetMs: 0 }))
      for (const cue of datedCues) {
        const { key, kind, durationMs } = cue
        const offsetMs = known.has(key) ? undefined : offsetOf(cue)
        if (offsetMs !== undefined) placed.push({ kind, durationMs, offsetMs })
        if (known.has(key) || offsetMs !== undefined) next.add(key)
      }
      seen = next
      return placed
    },
  }
}

const SEGMENT_BYTES = 64_000_000
const MAP_BYTES = 1_000_000
const KEY_BYTES = 16

/** Fetches the segments of a playlist and decrypts them. Keys and maps are cached, since many segments share them. */
function createSegmentFetcher(outboundClient: OutboundClient, signal: AbortSignal) {
  let key: { readonly url: string; readonly bytes: Buffer } | undefined
  let map: { readonly part: SourcePart; readonly bytes: Buffer } | undefined
  const unpack = createAudioUnpacker()
  const get = (part: SourcePart, mostBytes: number, limitMs: number) =>
    fetchBytes(outboundClient, { ...part, mostBytes, limitMs, signal })

  const keyOf = async ({ url }: SourceKey, limitMs: number): Promise<Buffer> => {
    if (key?.url === url) return key.bytes
    const bytes = await get({ url, range: undefined }, KEY_BYTES, limitMs)
    if (bytes.length !== KEY_BYTES) {
      throw new SourceFault('source.key_invalid', 'The key of the source is not 16 bytes long.')
    }
    key = { url, bytes }
    return bytes
  }
  const mapOf = async (part: SourcePart | undefined, limitMs: number): Promise<Buffer> => {
    if (part === undefined) return Buffer.alloc(0)
    if (map === undefined || !isSamePart(map.part, part)) {
      map = { part, bytes: await get(part, MAP_BYTES, limitMs) }
    }
    return map.bytes
  }
  return {
    async fetch(segment: SourceSegment, limitMs: number) {
      const { key: itsKey, durationMs, programMs } = segment
      const bytes = await get(segment, SEGMENT_BYTES, limitMs)
      const plain = itsKey === undefined ? bytes : decrypt(bytes, await keyOf(itsKey, limitMs), itsKey.iv)
      return { bytes: unpack(plain), map: await mapOf(segment.map, limitMs), durationMs, programMs }
    },
  }
}

const isSamePart = (one: SourcePart | undefined, other: SourcePart | undefined): boolean =>
  one?.url === other?.url && one?.range?.from === other?.range?.from

function decrypt(bytes: Buffer, key: Buffer, iv: string): Buffer {
  const decipher = createDecipheriv('aes-128-cbc', key, Buffer.from(iv, 'hex'))
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch (cause) {
    throw new SourceFault('source.key_invalid', 'A segment of the source does not fit its key.', { cause })
  }
}

interface FetchOptions {
  readonly url: string
  readonly range?: SourceRange | undefined
  readonly mostBytes: number
  readonly limitMs: number
  readonly signal: AbortSignal
}

/** Fetches a small file or a byte range into memory. Throws a SourceFault, or the reason of the signal. */
async function fetchBytes(outboundClient: OutboundClient, options: FetchOptions): Promise<Buffer> {
  const { url, range, mostBytes, signal } = options
  const limited = AbortSignal.any([signal, AbortSignal.timeout(options.limitMs)])
  try {
    const answer = await outboundClient.get({ url, mostBytes, signal: limited, bytes: range })
    if (answer.status !== 200 && answer.status !== 206) {
      answer.discard()
      throw new SourceFault('source.status', `The server of the source answers ${answer.status}.`)
    }
    const chunks: Buffer[] = []
    for await (const chunk of answer.body) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    // A server without range support sends everything.
    return range !== undefined && answer.status === 200 ? bytes.subarray(range.from, range.to) : bytes
  } catch (error) {
    throw error instanceof OutboundError ? faultOfFetching(error) : error
  }
}
