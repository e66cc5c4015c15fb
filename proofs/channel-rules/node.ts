import { type PlaylistStyle, printDelta, printPlaylist, styleOf } from '@continuity/core/hls/media-playlist'
import { createSegmentTexts, type SegmentTexts } from '@continuity/core/hls/segment-texts'
import { ticksOf } from '@continuity/core/time/ticks'
import { type BreakPolicy, breaksIn } from '@continuity/core/timeline/breaks'
import { applyPacked, emptyPacked, unpackAround } from '@continuity/core/timeline/codec/packed'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import { applyRun, emptyTimeline, type Run, type Timeline } from '@continuity/core/timeline/run'
import { windowAt } from '@continuity/core/timeline/window'

export interface Output {
  readonly windowMs: number
  readonly style: PlaylistStyle
  readonly breakPolicy: BreakPolicy
}

export const outputOf = (
  windowMs: number,
  markers: PlaylistStyle['markers'],
  breakPolicy: BreakPolicy,
): Output => ({
  windowMs,
  style: styleOf(3_200, windowMs, markers),
  breakPolicy,
})

export const createTexts = (): SegmentTexts =>
  createSegmentTexts({ mediaBase: '/media/', keptCharacters: 4_000_000 })

export interface PlaylistRequest {
  readonly output: Output
  readonly rung: string
  readonly atMs: number
  readonly isDelta?: boolean
}

/** The media playlist of a timeline at a time; undefined while the channel is off air. */
export function printAt(
  timeline: Timeline,
  request: PlaylistRequest,
  live: LiveView,
  texts: SegmentTexts,
): string | undefined {
  const { output, rung, atMs, isDelta } = request
  const window = windowAt(timeline, ticksOf(atMs), output.style.windowTicks, live)
  if (window === undefined) return undefined
  const breaks = breaksIn(timeline, window, output.breakPolicy, live)
  const print = isDelta === true ? printDelta : printPlaylist
  return print({ window, breaks, style: output.style, rung, texts, live })
}

/** A playout node: applies runs, and renders playlists from them. */
export interface Node {
  apply(run: Run): void
  answer(request: PlaylistRequest): string | undefined
}

/** Keeps the timeline unpacked, and caches everything that it rendered. */
export function createNode(live: LiveView, prepare: (run: Run) => Run = (run) => run): Node {
  const texts = createTexts()
  let timeline = emptyTimeline
  return {
    apply: (run) => {
      timeline = applyRun(timeline, prepare(run))
    },
    answer: (request) => printAt(timeline, request, live, texts),
  }
}

/** How long a node reuses what it has unpacked. */
const UNPACKED_FOR_MS = 30_000

/** Keeps the timeline packed, and unpacks only what the next answers need. */
export function createPackedNode(live: LiveView, outputs: readonly Output[]): Node {
  const texts = createTexts()
  const windowTicks = ticksOf(Math.max(...outputs.map(({ windowMs }) => windowMs)) + UNPACKED_FOR_MS)
  let timeline = emptyPacked
  let unpacked: Timeline | undefined
  let unpackedUntilMs = 0
  const unpack = (atMs: number): Timeline => {
    if (unpacked !== undefined && atMs < unpackedUntilMs) return unpacked
    unpackedUntilMs = atMs + UNPACKED_FOR_MS
    unpacked = unpackAround(timeline, ticksOf(unpackedUntilMs), windowTicks, 'FULL_LENGTH')
    if (unpacked === undefined) throw new Error('the packed timeline is corrupt')
    return unpacked
  }
  return {
    apply: (run) => {
      timeline = applyPacked(timeline, run)
      unpacked = undefined
    },
    answer: (request) => printAt(unpack(request.atMs), request, live, texts),
  }
}
