import type { Beeps } from '@continuity/test-source/find-beeps'
import { type DriftingShape, listedSeconds } from './drifting-media.ts'
import type { HouseEpoch, HouseSegment } from './house-segments.ts'

const SLOT_MS = 3_200
const TICKS_PER_MS = 90
const FRAME_TICKS = 3_600
/** 1,024 samples at 48 kHz. */
const SOUND_TICKS = 1_920
const PICTURES = 80
const SOUNDS = 150
/** By how much a flash or a beep may differ from its time in the source. */
const NEAR_MS = 40

export interface StretchFigures {
  readonly slots: number
  /** Between the first and the last slot with media. */
  readonly filled: number
  readonly dropped: number
  /** House segments that do not have exactly their frames, at their times. */
  readonly otherFrames: number
  /** Between two slots of an epoch: the timestamps of one do not continue those of the other. */
  readonly jumps: number
  /** Between two epochs: something else than whole segments is missing. */
  readonly oddDrops: number
}

export function checkSegments(epochs: readonly HouseEpoch[]): StretchFigures {
  const segments = epochs.flatMap((epoch) => epoch.segments)
  const pairs = segments.slice(1).map((after, at) => [segments[at]!, after] as const)
  const inEpoch = pairs.filter(([before, after]) => before.epoch === after.epoch)
  const missing = pairs
    .filter(([before, after]) => before.epoch !== after.epoch)
    .map(([before, after]) => (after.picture[0]! - endOf(before)) / TICKS_PER_MS / SLOT_MS)
  return {
    slots: segments.length,
    filled: pairs.reduce((sum, [before, after]) => sum + after.slot - before.slot - 1, 0),
    dropped: missing.reduce((sum, slots) => sum + slots, 0),
    otherFrames: segments.filter((segment) => !isWhole(segment)).length,
    jumps: inEpoch.filter(([before, after]) => !continues(before, after)).length,
    oddDrops: missing.filter((slots) => !Number.isInteger(slots) || slots < 1).length,
  }
}

const endOf = ({ picture }: HouseSegment): number => picture.at(-1)! + FRAME_TICKS

const isWhole = ({ picture, sound, startsWithKey }: HouseSegment): boolean =>
  startsWithKey &&
  picture.length === PICTURES &&
  sound.length === SOUNDS &&
  isEven(picture, FRAME_TICKS) &&
  isEven(sound, SOUND_TICKS)

const isEven = (times: readonly number[], step: number): boolean =>
  times.every((time, at) => at === 0 || time === times[at - 1]! + step)

const continues = (before: HouseSegment, after: HouseSegment): boolean =>
  after.picture[0] === endOf(before) && after.sound[0] === before.sound.at(-1)! + SOUND_TICKS

/** When the source flashes and beeps, by its own clock: in each second, a fifth of a second later than in the one before. */
const flashMs = (second: number): number => 1_000 * second + 200 * (second % 5)

/** Flashes or beeps that should be in an epoch, and those of them that are missing, or elsewhere, or too many. */
export function checkFlashes(
  { segments }: HouseEpoch,
  firstTicks: number,
  found: Beeps['flashesMs'],
): { readonly expected: number; readonly wrong: number } {
  const mediaMs = (ms: number) => ms - firstTicks / TICKS_PER_MS
  const startMs = mediaMs(segments[0]!.picture[0]! / TICKS_PER_MS)
  const endMs = mediaMs(endOf(segments.at(-1)!) / TICKS_PER_MS)
  // One that is cut by the beginning or the end of an epoch is left out.
  const isInside = (ms: number) => ms > startMs + 150 && ms < endMs - 150
  const seconds = Array.from({ length: Math.ceil(endMs / 1_000) }, (_, second) => second)
  const expected = seconds.map(flashMs).filter(isInside)
  const seen = found.map(mediaMs).filter(isInside)
  const isMissing = (ms: number) => !seen.some((it) => Math.abs(it - ms) <= NEAR_MS)
  return {
    expected: expected.length,
    wrong: expected.filter(isMissing).length + Math.max(0, seen.length - expected.length),
  }
}

export interface DelayFigures {
  /** By how much the first slot is behind what the source has listed when it begins. */
  readonly firstMs: number
  readonly leastMs: number
  readonly mostMs: number
}

/** How far slots are behind their source, by its clock. */
export function checkDelays(
  shape: DriftingShape,
  segments: readonly HouseSegment[],
  originMs: number,
): DelayFigures {
  const [first] = segments
  const delays = segments.map(({ slot, picture }) => {
    const mediaMs = (picture[0]! - first!.picture[0]!) / TICKS_PER_MS
    return 1_000 * listedSeconds(shape, slot * SLOT_MS - originMs) - mediaMs
  })
  return { firstMs: delays[0]!, leastMs: Math.min(...delays), mostMs: Math.max(...delays) }
}

/**
 * The documented delay: two target durations and one segment, in whole slots. More is buffered when a burst has just come and
 * the clock is fast: one target duration and one segment, and what is being encoded. Less is buffered before a burst.
 */
export function statedDelays({ segmentSeconds }: DriftingShape) {
  const targetMs = 1_000 * segmentSeconds
  const wholeSlots = (ms: number) => SLOT_MS * Math.ceil(ms / SLOT_MS)
  const waitsMs = wholeSlots(2 * targetMs) + SLOT_MS
  return {
    leastFirstMs: waitsMs,
    // The first slot begins up to one slot after the buffer is full, and a segment may be listed that was not read yet.
    mostFirstMs: waitsMs + 2 * SLOT_MS + targetMs,
    mostMs: waitsMs + wholeSlots(targetMs) + 2 * SLOT_MS + targetMs,
  }
}
