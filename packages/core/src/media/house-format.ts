/** The format of all packaged media of an account. It is frozen with the account's first asset. */
export interface HouseFormat {
  readonly frameRate: FrameRate
  readonly segmentMs: 3_200 | 6_400
  readonly loudnessLufs: number
}

export type FrameRate = 25 | 30

/** Segment length of a package: a slate has segments of a single GOP. */
export type SegmentMs = 1_600 | 3_200 | 6_400

/**
 * Length of a GOP.
 *
 * 1.6 s is the shortest time near two seconds that is a whole number of frames at 25 and 30 fps and of AAC
 * frames at 48 kHz (75). So a segment never ends inside a frame of either, and joins are exact.
 */
export const GOP_MS = 1_600

export const TICKS_PER_SECOND = 90_000
export const TICKS_PER_MS = 90

export const AUDIO_RATE = 48_000

export const ticksPerFrame = (frameRate: FrameRate): number => TICKS_PER_SECOND / frameRate

export const framesPerGop = (frameRate: FrameRate): number => (frameRate * GOP_MS) / 1_000

export const framesPerSegment = (frameRate: FrameRate, segmentMs: SegmentMs): number =>
  (frameRate * segmentMs) / 1_000

/** AAC frames, which have 1,024 samples each. */
export const soundFramesPerSegment = (segmentMs: SegmentMs): number =>
  (segmentMs * AUDIO_RATE) / 1_000 / 1_024

/**
 * EXT-X-TARGETDURATION, which must not change (RFC 8216 §4.3.3.1).
 *
 * The last segment of an asset is up to one GOP longer than the others: under 4.8 or under 8 s.
 */
export const targetDurationOf = (segmentMs: SegmentMs): number => (segmentMs === 6_400 ? 8 : 5)
