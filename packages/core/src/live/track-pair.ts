import { sinceMs } from './segment-start.ts'

/** The next segment of a track that is read from a playlist of its own. */
export interface TrackSegment {
  /** Its first timestamp, as a probe found it. */
  readonly startMs: number
  readonly durationMs: number
  /** Its timestamps or its format do not continue those of the segment before. */
  readonly isBreak: boolean
}

export type TrackPair =
  /** They begin together: the sound so much later than the picture, or earlier where it is negative. */
  | { readonly kind: 'pair'; readonly offsetMs: number }
  /** This one belongs to nothing in the other track. */
  | { readonly kind: 'skip'; readonly track: 'video' | 'audio' }
  | { readonly kind: 'unrelated' }

/**
 * Whether picture and sound of a source can begin with these segments. Both count by one clock (RFC 8216 §6.2.4), which may
 * wrap between them. Of two segments on different clocks, the one behind its break is right and the other is late.
 */
export function pairTracks(video: TrackSegment, audio: TrackSegment, nearMs: number): TrackPair {
  const offsetMs = sinceMs(video.startMs, audio.startMs)
  if (Math.abs(offsetMs) <= nearMs) {
    const isBefore = offsetMs + audio.durationMs <= 0
    return isBefore ? { kind: 'skip', track: 'audio' } : { kind: 'pair', offsetMs }
  }
  if (video.isBreak === audio.isBreak) return { kind: 'unrelated' }
  return { kind: 'skip', track: video.isBreak ? 'audio' : 'video' }
}
