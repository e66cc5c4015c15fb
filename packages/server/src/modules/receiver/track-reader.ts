import { setTimeout } from 'node:timers/promises'
import { readSegmentStart } from '@continuity/core/live/segment-start'
import { mergeCues, type PlacedCue } from '@continuity/core/live/source-cues'
import {
  readSourcePlaylist,
  type SourceMediaPlaylist,
  type SourceSegment,
} from '@continuity/core/live/source-playlist'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { createCueReader } from './cue-reader.ts'
import { fetchBytes } from './fetch-bytes.ts'
import { createSegmentFetcher, isSamePart } from './segment-fetcher.ts'
import { SourceFault } from './source-fault.ts'
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
