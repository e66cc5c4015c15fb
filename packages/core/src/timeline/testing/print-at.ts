import type { Markers } from '../../hls/markers.ts'
import { type PrintParams, printPlaylist, styleOf } from '../../hls/media-playlist.ts'
import { createSegmentTexts, type SegmentTexts } from '../../hls/segment-texts.ts'
import { ticksOf } from '../../time/ticks.ts'
import { type BreakPolicy, breaksIn } from '../breaks.ts'
import type { LiveView } from '../discontinuity.ts'
import type { Timeline } from '../run.ts'
import { windowAt } from '../window.ts'

export interface Output {
  readonly windowMs: number
  readonly policy?: BreakPolicy
  readonly markers?: Markers
  readonly texts?: SegmentTexts
}

/** A usual output, and one with the largest window and the full length of breaks. */
export const someOutputs = [
  { windowMs: 32_000, policy: 'ACTUAL' },
  { windowMs: 120_000, policy: 'FULL_LENGTH' },
] as const satisfies readonly Output[]

const warmTexts = createSegmentTexts({ mediaBase: '/media/', keptCharacters: 1_000_000 })

/** The parameters for the media playlist of an output at a time; undefined while the channel is off the air. */
export function printParamsAt(
  timeline: Timeline,
  atMs: number,
  { windowMs, policy = 'ACTUAL', markers = 'BOTH', texts = warmTexts }: Output,
  live: LiveView,
): PrintParams | undefined {
  const window = windowAt(timeline, ticksOf(atMs), ticksOf(windowMs), live)
  if (window === undefined) return undefined
  const breaks = breaksIn(timeline, window, policy, live)
  return { window, breaks, style: styleOf(3_200, windowMs, markers), rung: '720p', texts, live }
}

export function printAt(
  timeline: Timeline,
  atMs: number,
  output: Output,
  live: LiveView,
): string | undefined {
  const params = printParamsAt(timeline, atMs, output, live)
  return params === undefined ? undefined : printPlaylist(params)
}
