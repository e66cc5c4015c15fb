import { sinceMs } from '@continuity/core/live/segment-start'
import type { PlacedCue } from '@continuity/core/live/source-cues'
import { findStart, within } from './passage-start.ts'
import type { SegmentProber, SourceFacts } from './probe-segment.ts'
import { SourceFault } from './source-fault.ts'
import { openSource, type SourceReaderOptions } from './source-reader.ts'
import { createTrack, type Track } from './track.ts'
import type { ReceivedSegment } from './track-reader.ts'
import { FROZEN_TARGETS } from './track-retry.ts'

export type TrackName = 'video' | 'audio'

/** Receives the segments of a source from one break of its timestamps to the next. */
export interface Sink {
  /** Resolves when more of this track can be written. Offsets of cues count from the start of the video in the passage. */
  write(track: TrackName, bytes: Uint8Array, durationMs: number, cues: readonly PlacedCue[]): Promise<void>
  /** The audio is missing: silence follows. */
  endAudio(): void
  /** Nothing more is written. */
  end(): void
}

export interface FeedOptions extends SourceReaderOptions {
  readonly prober: SegmentProber
  /** How far the encoder may fall behind the source; by default some target durations. */
  readonly mostBehindMs?: number
  /** Called at the start of each passage. */
  readonly openSink: (facts: SourceFacts, targetMs: number) => Promise<Sink>
}

/**
 * How long video waits for late audio. The buffer holds two target durations, one of which is spent waiting for audio in
 * segments of that length.
 */
const PATIENCE_TARGETS = 2
/** Up to two lost audio segments are a gap; with more the audio counts as missing. */
const LOST_TARGETS = 2.5
/** Segments of both tracks that end together differ by some frames. Audio is written first then: it may have a break there. */
const SAME_MS = 200
/** If the last audio segment extends further than this past a break, it is also written to the next sink. */
const OVERLAP_MS = 500

/**
 * Reads a source and writes its segments to one sink after another: a new one for each break, in video or audio. Ends with
 * a SourceFault, or with the reason of the signal.
 */
export async function feedSource(options: FeedOptions): Promise<never> {
  const ending = new AbortController()
  const signal = AbortSignal.any([options.signal, ending.signal])
  try {
    const source = await openSource({ ...options, signal })
    const { targetMs } = source
    const video = createTrack(source.video)
    const audio = source.audio && createTrack(source.audio)
    const pace = createPace(options.mostBehindMs ?? FROZEN_TARGETS * targetMs)
    for (let isFirst = true; ; isFirst = false) {
      const facts = await findStart({ ...options, video, audio, targetMs, isFirst })
      const sink = await options.openSink(facts, targetMs)
      try {
        const overlapMs = await feedPassage({ sink, facts, video, audio, targetMs, pace })
        if (overlapMs > OVERLAP_MS) audio?.putBack()
      } finally {
        sink.end()
      }
    }
  } finally {
    // Stops reading the other track.
    ending.abort()
  }
}

interface Passage {
  readonly sink: Sink
  readonly facts: SourceFacts
  readonly video: Track
  readonly audio: Track | undefined
  readonly targetMs: number
  readonly pace: Pace
}

/**
 * Writes the track that is behind, until one of them breaks; the other is then complete up to the break. Returns by
 * how much the audio was ahead.
 */
async function feedPassage({ sink, facts, video, audio, targetMs, pace }: Passage): Promise<number> {
  const { sound } = facts
  const patienceMs = PATIENCE_TARGETS * targetMs
  const picture = createLane(sink, 'video', 0)
  let audioLane = audio && sound.kind === 'demuxed' ? createLane(sink, 'audio', sound.offsetMs) : undefined
  for (;;) {
    if (audio !== undefined && audioLane !== undefined && audioLane.endMs() < picture.endMs() + SAME_MS) {
      const item = await within(audio.peek(), patienceMs)
      if (item === undefined || audioLane.lostMs() > LOST_TARGETS * targetMs) {
        sink.endAudio()
        audioLane = undefined
      } else if (item.kind === 'segment' && item.isBreak && audioLane.hasBegun()) return 0
      else {
        // A gap in the timestamps of the audio is silence.
        if (item.kind === 'segment') await audioLane.write(item)
        else audioLane.skip(item.durationMs)
        audio.take()
      }
      continue
    }
    // Audio that returns must be paired with the video again.
    if (audioLane === undefined && audio?.isReady() === true) return 0
    const item = await video.peek()
    if (item.kind === 'lost' || (item.isBreak && picture.hasBegun())) {
      return audioLane === undefined ? 0 : audioLane.endMs() - picture.endMs()
    }
    await pace.keep(item.durationMs, () => picture.write(item))
    video.take()
  }
}

/** Writes one track to a sink. */
interface Lane {
  hasBegun(): boolean
  /** Where the next segment starts, counted from the start of the video. */
  endMs(): number
  write(segment: ReceivedSegment): Promise<void>
  skip(durationMs: number): void
  /** Skipped since the last segment. */
  lostMs(): number
}

/**
 * Positions follow the timestamps: durations in playlists are rounded, and their sum would drift by seconds per day. Each
 * write waits for the previous one, but never for the other track, which ffmpeg may need first.
 */
function createLane(sink: Sink, track: TrackName, offsetMs: number): Lane {
  let last: { readonly startMs: number | undefined; readonly atMs: number } | undefined
  let endMs = offsetMs
  let lostMs = 0
  let writing: Promise<void> = Promise.resolve()
  const positionOf = ({ startMs }: ReceivedSegment) =>
    startMs === undefined || last?.startMs === undefined ? endMs : last.atMs + sinceMs(last.startMs, startMs)
  return {
    hasBegun: () => last !== undefined,
    endMs: () => endMs,
    async write(segment) {
      await writing
      const { bytes, map } = segment
      const all = last === undefined ? Buffer.concat([map, bytes]) : bytes
      const atMs = positionOf(segment)
      const cues = segment.cues.map((cue) => ({ ...cue, offsetMs: atMs + cue.offsetMs }))
      writing = sink.write(track, all, segment.durationMs, cues)
      last = { startMs: segment.startMs, atMs }
      endMs = atMs + segment.durationMs
      lostMs = 0
    },
    skip(durationMs) {
      endMs += durationMs
      lostMs += durationMs
    },
    lostMs: () => lostMs,
  }
}

interface Pace {
  /** Runs `act` and compares its time with the duration of what it processes. */
  keep(durationMs: number, act: () => Promise<void>): Promise<void>
}

/** Throws when the accumulated delay exceeds the limit; short delays are made up for. */
function createPace(mostBehindMs: number): Pace {
  let behindMs = 0
  return {
    async keep(durationMs, act) {
      const startMs = performance.now()
      await act()
      behindMs = Math.max(0, behindMs + performance.now() - startMs - durationMs)
      if (behindMs > mostBehindMs) throw tooSlow()
    },
  }
}

const tooSlow = () =>
  new SourceFault(
    'source.receiver_too_slow',
    'The receiver encodes slower than the source plays. Give it more cores, a faster ENCODER_PRESET or a smaller LADDER.',
  )
