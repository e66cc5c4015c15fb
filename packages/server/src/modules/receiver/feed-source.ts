import { sinceMs } from '@continuity/core/live/segment-start'
import type { PlacedCue } from '@continuity/core/live/source-cues'
import { findStart, within } from './passage-start.ts'
import type { SegmentProber, SourceFacts } from './probe-segment.ts'
import { SourceFault } from './source-fault.ts'
import { openSource, type SourceReaderOptions } from './source-reader.ts'
import { createTrack, type Track } from './track.ts'
import { FROZEN_TARGETS } from './track-course.ts'
import type { ReceivedSegment } from './track-reader.ts'

export type TrackName = 'video' | 'audio'

/** Where the segments of a source go, from one break of its timestamps to the next. */
export interface Sink {
  /** Resolves when more of this track can be taken. Cues have their place in the passage, by the picture. */
  write(track: TrackName, bytes: Uint8Array, durationMs: number, cues: readonly PlacedCue[]): Promise<void>
  /** The sound is missing: silence follows. */
  endAudio(): void
  /** No more is coming. */
  end(): void
}

export interface FeedOptions extends SourceReaderOptions {
  readonly prober: SegmentProber
  /** The encoder may fall so far behind the source; by default some target durations. */
  readonly mostBehindMs?: number
  /** A passage begins. */
  readonly openSink: (facts: SourceFacts, targetMs: number) => Promise<Sink>
}

/**
 * The buffer holds two target durations, of which the picture waits one for sound that comes in segments of that length: so
 * long it can wait for sound that is late.
 */
const PATIENCE_TARGETS = 2
/** Two lost segments of sound are a hole in it; with more it is gone. */
const LOST_TARGETS = 2.5
/** Segments of both that end together differ by some frames. The sound comes first then: it may have a break there. */
const SAME_MS = 200
/** Less of the sound than this has gone to the sink before a break: it is not given to the next one. */
const OVERLAP_MS = 500

/**
 * Reads a source and writes its segments to one sink after another: a new one for each break, in picture or sound. Ends with
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
    // What still reads the other track ends.
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
 * Writes whichever track is behind, until one of them breaks. So the other has brought all that belongs before the break. Gives by
 * how much the sound was further then.
 */
async function feedPassage({ sink, facts, video, audio, targetMs, pace }: Passage): Promise<number> {
  const { sound } = facts
  const patienceMs = PATIENCE_TARGETS * targetMs
  const picture = createLane(sink, 'video', 0)
  let heard = audio && sound.kind === 'demuxed' ? createLane(sink, 'audio', sound.offsetMs) : undefined
  for (;;) {
    if (audio !== undefined && heard !== undefined && heard.endMs() < picture.endMs() + SAME_MS) {
      const item = await within(audio.peek(), patienceMs)
      if (item === undefined || heard.lostMs() > LOST_TARGETS * targetMs) {
        sink.endAudio()
        heard = undefined
      } else if (item.kind === 'segment' && item.isBreak && heard.hasBegun()) return 0
      else {
        // A hole in the timestamps of the sound is silence.
        if (item.kind === 'segment') await heard.write(item)
        else heard.skip(item.durationMs)
        audio.take()
      }
      continue
    }
    // Sound that is back has to be paired with the picture.
    if (heard === undefined && audio?.isReady() === true) return 0
    const item = await video.peek()
    if (item.kind === 'lost' || (item.isBreak && picture.hasBegun())) {
      return heard === undefined ? 0 : heard.endMs() - picture.endMs()
    }
    await pace.keep(item.durationMs, () => picture.write(item))
    video.take()
  }
}

/** One track on its way to a sink. */
interface Lane {
  hasBegun(): boolean
  /** Where what comes next begins, counted from the beginning of the picture. */
  endMs(): number
  write(segment: ReceivedSegment): Promise<void>
  skip(durationMs: number): void
  /** What was skipped since the last segment. */
  lostMs(): number
}

/**
 * Positions follow the timestamps: lengths in playlists are rounded, and their sum would be off by seconds after a day. Each
 * write waits for the one before it, and never for the other track, which ffmpeg may need first.
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
  /** Counts the time that something of a length takes. */
  keep(durationMs: number, act: () => Promise<void>): Promise<void>
}

/** An encoder that is always behind is too slow; one that is now and then is not. */
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
