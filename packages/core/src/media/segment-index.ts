import {
  type FrameRate,
  framesPerGop,
  framesPerSegment,
  type SegmentMs,
  TICKS_PER_MS,
  ticksPerFrame,
} from './house-format.ts'
import type { Cut } from './media.ts'

/** What an asset consists of. Stored with the asset's segments, and never changes. */
export interface SegmentIndex {
  readonly version: 1
  readonly frameRate: FrameRate
  /** Length of all segments but the last, and the last before each cut. */
  readonly segmentMs: SegmentMs
  readonly durationTicks: number
  /** The segments that begin at a cue point. */
  readonly cuts?: readonly Cut[]
  /** Where a break would fit, by picture and sound. */
  readonly proposedMs?: readonly number[]
  /** The ticks of each segment; the same in every rendition. */
  readonly segments: readonly number[]
  readonly rungs: readonly IndexedRung[]
}

export interface IndexedRung {
  readonly name: string
  readonly width: number
  readonly height: number
  /** Bits per second of the largest segment, measured. */
  readonly bandwidth: number
  readonly averageBandwidth: number
  readonly codecs: string
}

/** In the package of a slate: the same in segments of a slot. */
export const SLOTS_FOLDER = 'slots'

/** The file of a segment in the folder of its rung; its still has the same number. */
export const segmentName = (number: number): string => `${paddedNumber(number)}.ts`
export const stillName = (number: number): string => `${paddedNumber(number)}.jpg`

/** The object key of a segment's still, which is its first picture. All packages and all live slots have them. */
export const stillKey = (folder: string, number: number): string => `${folder}/stills/${stillName(number)}`

/**
 * The ticks of each segment for a number of frames.
 *
 * A tail shorter than one GOP joins the previous segment, because players with very short segments at every
 * join run out of buffer. Media shorter than one GOP is padded to it.
 */
export function planSegments(frames: number, frameRate: FrameRate, segmentMs: SegmentMs): readonly number[] {
  const gop = framesPerGop(frameRate)
  const each = framesPerSegment(frameRate, segmentMs)
  const padded = Math.max(frames, gop)
  const tail = padded % each
  const wholes = Math.floor(padded / each)
  const isJoined = tail < gop && wholes > 0
  const last = isJoined ? each + tail : tail
  return [...Array<number>(isJoined ? wholes - 1 : wholes).fill(each), last].map(
    (count) => count * ticksPerFrame(frameRate),
  )
}

export const printSegmentIndex = (index: SegmentIndex): string => `${JSON.stringify(index)}\n`

/** Reads what was printed; undefined for anything else. */
export function readSegmentIndex(text: string): SegmentIndex | undefined {
  const value = parse(text)
  return isSegmentIndex(value) ? value : undefined
}

const paddedNumber = (number: number): string => String(number).padStart(5, '0')

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function isSegmentIndex(value: unknown): value is SegmentIndex {
  if (typeof value !== 'object' || value === null) return false
  const { version, frameRate, segmentMs, durationTicks, segments, cuts, rungs } =
    value as Partial<SegmentIndex>
  if (version !== 1 || (frameRate !== 25 && frameRate !== 30)) return false
  if (segmentMs !== 1_600 && segmentMs !== 3_200 && segmentMs !== 6_400) return false
  if (!Array.isArray(segments) || segments.length === 0 || !segments.every(isCount)) return false
  if (cuts !== undefined && !areCuts(cuts, segments)) return false
  const ends = new Set([segments.length, ...(cuts ?? []).map(({ segment }) => segment)])
  const isRegular = (ticks: number, number: number) =>
    ends.has(number + 1) || ticks === segmentMs * TICKS_PER_MS
  if (!segments.every(isRegular)) return false
  if (durationTicks !== segments.reduce((sum, ticks) => sum + ticks, 0)) return false
  return Array.isArray(rungs) && rungs.length > 0 && rungs.every(isIndexedRung)
}

/** In order, each at the start of its segment. */
function areCuts(value: unknown, segments: readonly number[]): value is readonly Cut[] {
  if (!Array.isArray(value) || value.length === 0) return false
  let [before, ticks] = [0, 0]
  for (const cut of value as readonly (Partial<Cut> | null)[]) {
    if (!isCount(cut?.segment) || cut.segment <= before || cut.segment >= segments.length) return false
    ticks += segments.slice(before, cut.segment).reduce((sum, it) => sum + it, 0)
    if (cut.ticks !== ticks) return false
    before = cut.segment
  }
  return true
}

function isIndexedRung(value: unknown): value is IndexedRung {
  if (typeof value !== 'object' || value === null) return false
  const { name, width, height, bandwidth, averageBandwidth, codecs } = value as Partial<IndexedRung>
  const isNamed = typeof name === 'string' && /^[a-z0-9]{1,16}$/.test(name)
  const isCoded = typeof codecs === 'string' && /^[\w.,]{1,64}$/.test(codecs)
  return isNamed && isCoded && [width, height, bandwidth, averageBandwidth].every(isCount)
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
