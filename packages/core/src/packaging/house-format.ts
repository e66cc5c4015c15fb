/** What all media of an account is packaged to. It freezes at the account's first asset. */
export interface HouseFormat {
  readonly frameRate: FrameRate
  readonly segmentMs: 3_200 | 6_400
  readonly loudnessLufs: number
}

export type FrameRate = 25 | 30

/** How long the segments of one packaging are: those of a slate are a single GOP. */
export type SegmentMs = 1_600 | 3_200 | 6_400

/**
 * From one IDR frame to the next.
 *
 * 1.6 s is the shortest time near two seconds that is a whole number of frames at 25 and 30 and of
 * AAC frames at 48 kHz (75). So a segment never ends inside a frame of either, and no sliver is left at a join.
 */
export const GOP_MS = 1_600

export const TICKS_PER_SECOND = 90_000
export const TICKS_PER_MS = 90

export const AUDIO_RATE = 48_000

export const ticksPerFrame = (frameRate: FrameRate): number => TICKS_PER_SECOND / frameRate

export const framesPerGop = (frameRate: FrameRate): number => (frameRate * GOP_MS) / 1_000

export const framesPerSegment = (frameRate: FrameRate, segmentMs: SegmentMs): number =>
  (frameRate * segmentMs) / 1_000

/** Of AAC, which has 1,024 samples in a frame. */
export const soundFramesPerSegment = (segmentMs: SegmentMs): number =>
  (segmentMs * AUDIO_RATE) / 1_000 / 1_024

/**
 * EXT-X-TARGETDURATION, which must not change while a playlist lives (RFC 8216 §4.3.3.1).
 *
 * The last segment of an asset is up to one GOP longer than the others: under 4.8 or under 8 s.
 */
export const targetDurationOf = (segmentMs: SegmentMs): number => (segmentMs === 6_400 ? 8 : 5)
