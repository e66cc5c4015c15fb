import { type FrameRate, framesPerGop, type SegmentMs, TICKS_PER_MS, ticksPerFrame } from './house-format.ts'
import { type Cut, type Media, segmentsWithin, ticksBefore } from './media.ts'
import { planSegments } from './segment-index.ts'

/** Of one video. */
export const CUE_POINTS_MAXIMUM = 100

/**
 * Least distance of cue points from each other and from the start. The first segment of every part then has the
 * regular length, also with segments of 6.4 s: media that is looped needs one.
 */
export const CUE_GAP_MS = 10_000

/** The frame that is nearest to a time. */
export const frameAt = (ms: number, frameRate: FrameRate): number => Math.round((ms * frameRate) / 1_000)

/** Of times in any order, those that can be cue points of one video, in order. */
export function usableCuePoints(times: readonly number[]): readonly number[] {
  const usable: number[] = []
  for (const atMs of times.toSorted((one, other) => one - other)) {
    if (atMs >= (usable.at(-1) ?? 0) + CUE_GAP_MS) usable.push(atMs)
  }
  return usable.slice(0, CUE_POINTS_MAXIMUM)
}

export interface PlannedParts {
  /** The ticks of each segment. */
  readonly segments: readonly number[]
  readonly cuts: readonly Cut[]
}

/**
 * Segments that end at every cue frame, as if each part were a file of its own. A cue frame after the end, or
 * less than a GOP before it, is ignored: no segment is shorter than a GOP.
 */
export function planParts(
  frames: number,
  cueFrames: readonly number[],
  frameRate: FrameRate,
  segmentMs: SegmentMs,
): PlannedParts {
  const starts = cueFrames.filter((frame) => frame + framesPerGop(frameRate) <= frames)
  const segments: number[] = []
  const cuts: Cut[] = []
  for (const [at, start] of [0, ...starts].entries()) {
    if (start > 0) cuts.push({ segment: segments.length, ticks: start * ticksPerFrame(frameRate) })
    segments.push(...planSegments((starts[at] ?? frames) - start, frameRate, segmentMs))
  }
  return { segments, cuts }
}

/** The frames of each GOP, which begin at every cue frame. */
export function planGops(
  frames: number,
  cueFrames: readonly number[],
  frameRate: FrameRate,
): readonly number[] {
  const gop = framesPerGop(frameRate)
  const starts = cueFrames.filter((frame) => frame < frames)
  return [0, ...starts].flatMap((start, at) => {
    const left = (starts[at] ?? frames) - start
    return [...Array<number>(Math.floor(left / gop)).fill(gop), ...(left % gop === 0 ? [] : [left % gop])]
  })
}

/** A boundary of segments. */
export interface Boundary {
  /** The segment that begins there; the number of segments at the end of the media. */
  readonly segment: number
  /** How much later than wanted it is; negative if it is earlier. */
  readonly offsetMs: number
}

/** The boundary of segments nearest to a time; of two that are equally near, the earlier. */
export function cutAt(media: Media, ms: number): Boundary {
  const wantedTicks = ms * TICKS_PER_MS
  const before = segmentsWithin(media, wantedTicks)
  const [early, late] = [ticksBefore(media, before), ticksBefore(media, before + 1)]
  const isLate = before < media.segmentCount && late - wantedTicks < wantedTicks - early
  const offsetTicks = (isLate ? late : early) - wantedTicks
  // Without adding 0, an offset that is rounded from below would be -0.
  return { segment: before + (isLate ? 1 : 0), offsetMs: Math.round(offsetTicks / TICKS_PER_MS) + 0 }
}
