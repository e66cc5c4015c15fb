import { setTimeout } from 'node:timers/promises'
import { readSegmentStart } from '@continuity/core/live/segment-start'
import { mergeCues, type PlacedCue } from '@continuity/core/live/source-cues'
import {
  readSourcePlaylist,
  type SourceMediaPlaylist,
  type SourceSegment,
} from '@continuity/core/live/source-playlist'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import { createCueReader } from './cue-reader.ts'
import { fetchBytes } from './fetch-bytes.ts'
import { createSegmentFetcher, isSamePart } from './segment-fetcher.ts'
import { SourceFault } from './source-fault.ts'
import { createCourse, FIRST_LIMIT_MS } from './track-course.ts'

/** A segment of the source, decrypted. */
export interface ReceivedSegment {
  readonly kind: 'segment'
  readonly bytes: Uint8Array
  /** What fMP4 needs before the first segment, and again when it changes; empty for MPEG-TS. */
  readonly map: Buffer
  /** Its timestamps or its format do not continue those of the segment before. */
  readonly isBreak: boolean
  /** Its first timestamp, as far as it is found without a decoder. */
  readonly startMs: number | undefined
  readonly durationMs: number
  readonly programMs: number | undefined
  /** Beginnings and ends of ad breaks in it. */
  readonly cues: readonly PlacedCue[]
}

/** One that could not be had. */
export interface LostSegment {
  readonly kind: 'lost'
  readonly durationMs: number
}

export type TrackItem = ReceivedSegment | LostSegment

export interface TrackOptions {
  readonly guard: Guard
  readonly url: string
  /** As it was read when the source was opened. */
  readonly playlist: SourceMediaPlaylist
  /** How long before its end it is read from. */
  readonly fromEndMs: number
  readonly signal: AbortSignal
  /** Gets what is wrong once something was read, one fault for each time that it is gone; reading goes on. */
  readonly onFault?: (fault: SourceFault) => void
}

const PLAYLIST_BYTES = 1_000_000

/**
 * Reads a media playlist from near its end on, segment by segment, for as long as it moves. Throws a SourceFault when it
 * cannot be read or stands still, unless there is `onFault`; a caller that waits for it to come back reads it again.
 */
export async function* readTrack(options: TrackOptions): AsyncGenerator<TrackItem, never> {
  const { guard, signal, url, fromEndMs } = options
  const fetcher = createSegmentFetcher(guard, signal)
  const course = createCourse({ ...options, targetMs: options.playlist.targetMs })
  let { playlist } = options
  let last: SourceSegment | undefined
  const cueReader = createCueReader()
  let lostCues: readonly PlacedCue[] = [] // of segments that could not be had
  let isBroken = false // between the last segment that was read and the next; one that is lost says so itself
  for (;;) {
    if (playlist.isEnded) course.fail(notLive())
    const fresh = freshSegments(playlist, last, fromEndMs)
    for (const segment of course.hasFailed() ? lastSegments(fresh, fromEndMs) : fresh) {
      isBroken ||= last !== undefined && !continues(segment, last)
      last = segment
      const cues = mergeCues([...lostCues, ...cueReader.read(segment, playlist)])
      const received = await course.fetchSegment((limitMs) => fetcher.fetch(segment, limitMs))
      if (received === undefined) {
        lostCues = cues.map((cue) => ({ ...cue, offsetMs: 0 }))
        yield { kind: 'lost', durationMs: segment.durationMs }
        continue
      }
      const startMs = readSegmentStart(received.bytes, received.map)
      lostCues = []
      yield { kind: 'segment', ...received, startMs, cues, isBreak: isBroken }
      // The time that an encoder takes is not the source's.
      course.move()
      isBroken = false
    }
    if (course.isFrozen()) course.fail(frozen())
    // Twice in a target duration: RFC 8216 asks for no less where nothing was new (§6.3.4).
    await setTimeout(playlist.targetMs / 2, undefined, { signal })
    const read = await course.readPlaylist((limitMs) => readMediaPlaylist(options, url, limitMs))
    playlist = read ?? { ...playlist, segments: [], isEnded: false }
  }
}

const notLive = () => new SourceFault('source.not_live', 'The playlist ends: it is a recording.')
const frozen = () => new SourceFault('source.frozen', 'The playlist of the source brings no new segments.')

const continues = (segment: SourceSegment, last: SourceSegment): boolean =>
  !segment.isDiscontinuous && segment.sequence === last.sequence + 1 && isSamePart(segment.map, last.map)

/** What was not read yet. A source whose numbers begin anew is read from near its end again. */
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

/** As many at the end as are so long. */
function lastSegments(segments: readonly SourceSegment[], fromEndMs: number): readonly SourceSegment[] {
  let leftMs = fromEndMs
  const first = segments.findLastIndex(({ durationMs }) => {
    leftMs -= durationMs
    return leftMs <= 0
  })
  return segments.slice(Math.max(0, first))
}

export async function readMediaPlaylist(
  options: Pick<TrackOptions, 'guard' | 'signal'>,
  url: string,
  limitMs = FIRST_LIMIT_MS,
): Promise<SourceMediaPlaylist> {
  const playlist = await readPlaylist(options, url, limitMs)
  if (playlist.kind === 'media') return playlist
  throw new SourceFault('source.playlist_invalid', 'A variant of the source is a multivariant playlist.')
}

export async function readPlaylist(
  { guard, signal }: Pick<TrackOptions, 'guard' | 'signal'>,
  url: string,
  limitMs = FIRST_LIMIT_MS,
) {
  const bytes = await fetchBytes(guard, { url, mostBytes: PLAYLIST_BYTES, limitMs, signal })
  const read = readSourcePlaylist(bytes.toString('utf8'), url)
  if (read.kind === 'refused') throw new SourceFault(read.code, read.message)
  return read
}
