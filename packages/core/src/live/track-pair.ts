import { sinceMs } from './segment-start.ts'

/** The next segment of a track with its own playlist. */
export interface TrackSegment {
  /** Its first timestamp, as probed. */
  readonly startMs: number
  readonly durationMs: number
  /** Its timestamps or its format do not continue those of the previous segment. */
  readonly isBreak: boolean
}

export type TrackPair =
  /** They begin together: the audio this much later than the video, or earlier if negative. */
  | { readonly kind: 'pair'; readonly offsetMs: number }
  /** This segment has no counterpart in the other track. */
  | { readonly kind: 'skip'; readonly track: 'video' | 'audio' }
  | { readonly kind: 'unrelated' }

/**
 * Whether video and audio of a source can begin with these segments. Both use one clock (RFC 8216 §6.2.4),
 * which may wrap between them. Of two segments on different clocks, the one after a break is current and the
 * other is late.
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
