import { type PrintParams, styleOf } from '@continuity/core/hls/media-playlist'
import type { SegmentTexts } from '@continuity/core/hls/segment-texts'
import { ticksOf } from '@continuity/core/time/ticks'
import { breaksIn } from '@continuity/core/timeline/breaks'
import { noLive } from '@continuity/core/timeline/discontinuity'
import type { Timeline } from '@continuity/core/timeline/run'
import { windowAt } from '@continuity/core/timeline/window'

/** A kind of playlist to render at many times. */
export interface RenderCase {
  readonly name: string
  readonly windowMs: number
  readonly markers: 'BOTH' | 'DATERANGE' | 'NONE'
  /** Whether a window is of this kind. */
  readonly isWanted: (params: PrintParams) => boolean
  readonly isDelta: boolean
  readonly atMostMicroseconds?: number
  readonly atMostRatio?: number
}

const SMALL_MS = 32_000

/** 900 segments: those of slates are half as long. */
const LARGE_MS = 2_500_000

const hasBreak = ({ breaks }: PrintParams): boolean => breaks.length > 0

// A large window always has a break, so the plain one is without markers.
export const renderCases: readonly RenderCase[] = [
  {
    name: 'small',
    windowMs: SMALL_MS,
    markers: 'BOTH',
    isWanted: (params) => !hasBreak(params),
    isDelta: false,
    atMostMicroseconds: 4,
    atMostRatio: 1.5,
  },
  { name: 'small_break', windowMs: SMALL_MS, markers: 'BOTH', isWanted: hasBreak, isDelta: false },
  {
    name: 'large',
    windowMs: LARGE_MS,
    markers: 'NONE',
    isWanted: hasBreak,
    isDelta: false,
    atMostMicroseconds: 120,
    atMostRatio: 1.5,
  },
  { name: 'large_ranges', windowMs: LARGE_MS, markers: 'DATERANGE', isWanted: hasBreak, isDelta: false },
  { name: 'large_cues', windowMs: LARGE_MS, markers: 'BOTH', isWanted: hasBreak, isDelta: false },
  { name: 'large_delta', windowMs: LARGE_MS, markers: 'NONE', isWanted: hasBreak, isDelta: true },
]

/** The print parameters of a timeline by time. */
export function paramsAt(
  timeline: Timeline,
  texts: SegmentTexts,
  { windowMs, markers }: Pick<RenderCase, 'windowMs' | 'markers'>,
): (ms: number) => PrintParams {
  const style = styleOf(3_200, windowMs, markers)
  const windowTicks = ticksOf(windowMs)
  return (ms) => {
    const window = windowAt(timeline, ticksOf(ms), windowTicks, noLive)!
    const breaks = breaksIn(timeline, window, 'ACTUAL', noLive)
    return { window, breaks, style, rung: '720p', texts, live: noLive }
  }
}
