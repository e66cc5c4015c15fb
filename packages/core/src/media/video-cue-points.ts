import { CUE_GAP_MS, CUE_POINTS_MAXIMUM, cutAt, frameAt, usableCuePoints } from './cue-points.ts'
import { type FrameRate, framesPerGop, ticksPerFrame } from './house-format.ts'
import { type Media, segmentsWithin, ticksBefore } from './media.ts'

/** A cue point of a video, as on the wire. */
export interface CuePoint {
  readonly at_ms: number
  /** GIVEN by an editor; a CHAPTER of the file, if none are given; PROPOSED, which is never cut at. */
  readonly origin: 'GIVEN' | 'CHAPTER' | 'PROPOSED'
  /** How much later than `at_ms` the nearest boundary of the package is. Null without a package. */
  readonly offset_ms: number | null
}

/** What packaging finds in a file. */
export interface FoundCues {
  readonly chaptersMs: readonly number[]
  readonly proposedMs: readonly number[]
}

export const NOTHING_FOUND: FoundCues = { chaptersMs: [], proposedMs: [] }

/** The cue points at which a video is cut. */
export const usedCues = (givenMs: readonly number[] | null, { chaptersMs }: FoundCues): readonly number[] =>
  usableCuePoints(givenMs ?? chaptersMs)

/** Those of a list as it is shown. */
export const usedOf = (points: readonly CuePoint[]): readonly number[] =>
  points.filter(({ origin }) => origin !== 'PROPOSED').map(({ at_ms }) => at_ms)

/** The cue points of a video in order. While some are given, chapters of the file are proposals. */
export function listCuePoints(
  givenMs: readonly number[] | null,
  found: FoundCues,
  media: Media | undefined,
): readonly CuePoint[] {
  const used = usedCues(givenMs, found)
  const others = givenMs === null ? found.proposedMs : [...found.chaptersMs, ...found.proposedMs]
  const proposed = usableCuePoints(others.filter((ms) => used.every((it) => Math.abs(it - ms) >= CUE_GAP_MS)))
  const points: readonly Pick<CuePoint, 'at_ms' | 'origin'>[] = [
    ...used.map((at_ms) => ({ at_ms, origin: givenMs === null ? ('CHAPTER' as const) : ('GIVEN' as const) })),
    ...proposed.map((at_ms) => ({ at_ms, origin: 'PROPOSED' as const })),
  ]
  return points
    .toSorted((one, other) => one.at_ms - other.at_ms)
    .map(({ at_ms, origin }) => ({
      at_ms,
      origin,
      offset_ms: media === undefined ? null : cutAt(media, at_ms).offsetMs,
    }))
}

/** Whether a segment of a package begins at each of these times, as far as one can. */
export function hasBoundaries(media: Media, cuesMs: readonly number[], frameRate: FrameRate): boolean {
  const lastTicks = media.durationTicks - framesPerGop(frameRate) * ticksPerFrame(frameRate)
  return cuesMs.every((ms) => {
    const ticks = frameAt(ms, frameRate) * ticksPerFrame(frameRate)
    return ticks > lastTicks || ticksBefore(media, segmentsWithin(media, ticks)) === ticks
  })
}

export interface CueFault {
  /** Its index in the list. */
  readonly index: number
  readonly message: string
}

/** What is wrong with a list of given cue points; undefined if nothing is. */
export function findCueFault(timesMs: readonly number[], durationMs: number): CueFault | undefined {
  if (timesMs.length > CUE_POINTS_MAXIMUM)
    return { index: CUE_POINTS_MAXIMUM, message: `is beyond the limit of ${CUE_POINTS_MAXIMUM} cue points.` }
  const inOrder = [...timesMs.entries()].toSorted(([, one], [, other]) => one - other)
  for (const [at, [index, ms]] of inOrder.entries()) {
    const beforeMs = inOrder[at - 1]?.[1]
    if (ms >= durationMs) return { index, message: `must be before the end of the video at ${durationMs}.` }
    if (ms - (beforeMs ?? 0) < CUE_GAP_MS)
      return {
        index,
        message: `must be at least ${CUE_GAP_MS} ms after ${beforeMs === undefined ? 'the start' : `the cue point at ${beforeMs}`}.`,
      }
  }
  return undefined
}
