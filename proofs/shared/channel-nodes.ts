import { type PlaylistStyle, printDelta, printPlaylist, styleOf } from '@continuity/core/hls/media-playlist'
import { createSegmentTexts, type SegmentTexts } from '@continuity/core/hls/segment-texts'
import { loopOf } from '@continuity/core/media/media'
import { ticksOf } from '@continuity/core/time/ticks'
import { type BreakPolicy, breaksIn } from '@continuity/core/timeline/breaks'
import { applyPacked, emptyPacked, unpackAround } from '@continuity/core/timeline/codec/packed'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import { applyRun, emptyTimeline, type Run, type Timeline } from '@continuity/core/timeline/run'
import { type AssetShow, offsetOf, type Span } from '@continuity/core/timeline/span'
import { windowAt } from '@continuity/core/timeline/window'
import type { Draw } from '@continuity/dev/draw'
import { createPlaylistValidator } from '@continuity/playlist-validator'

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

/** The same run, with its spans split in two where possible. */
export const splitSpans = (draw: Draw, run: Run): Run => ({
  ...run,
  spans: run.spans.flatMap((span) => splitSpan(draw, span)),
})

function splitSpan(draw: Draw, span: Span): Span[] {
  if (span.segments < 2 || span.show.kind === 'live') return [span]
  const at = 1 + draw.below(Math.min(span.segments, 2_000) - 1)
  return [{ ...span, segments: at }, restOf(span, span.show, at)]
}

function restOf(span: Span, show: AssetShow, at: number): Span {
  const number = show.firstSegment + at
  const { segments } = loopOf(show.media)
  return {
    ...span,
    startTicks: span.startTicks + offsetOf(span, at),
    segments: span.segments - at,
    firstSequence: span.firstSequence + at,
    discontinuity: span.discontinuity + (show.isLooped ? Math.floor(number / segments) : 0),
    show: { ...show, firstSegment: show.isLooped ? number % segments : number },
  }
}

/** A viewer of an output, who starts a new session after its end. */
export type Viewer = ReturnType<typeof createViewer>

export function createViewer(output: Output) {
  const { windowMs: maxWindowMs, style, breakPolicy } = output
  const { markers } = style
  const validator = createPlaylistValidator({
    profile: 'house',
    targetDuration: 5,
    maxWindowMs,
    markers,
    breakPolicy,
  })
  let last: string | undefined
  /** A viewer leaves at the end; the next one starts a new session. */
  const follow = (text: string | undefined) => {
    if (last !== undefined && (text === undefined || (isEnded(last) && !isSame(last, text))))
      validator.restart()
    last = text
  }
  return {
    validator,
    /** Whether it has seen a playlist that is not ended. */
    isWatching: () => last !== undefined && !isEnded(last),
    checkMedia(atMs: number, rung: string, text: string | undefined): void {
      follow(text)
      if (text !== undefined) validator.checkMedia({ atMs, rendition: rung, text })
    },
    checkDelta(atMs: number, rung: string, delta: string, full: string): void {
      follow(full)
      validator.checkDelta({ atMs, rendition: rung, text: delta, full })
    },
  }
}

const isEnded = (text: string): boolean => text.endsWith('#EXT-X-ENDLIST\n')

/** May compare different renditions: nothing changes after the end. */
const isSame = (ended: string, text: string): boolean =>
  isEnded(text) && sequenceOf(ended) === sequenceOf(text)

const sequenceOf = (text: string): string | undefined => /^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)?.[1]

/**
 * Counts what was new in the playlists of one output. Parses the few lines that it needs itself, so that the counts come
 * from the text.
 */
export function createListedCounter() {
  const breaks = new Set<string>()
  let segments = 0
  let discontinuities = 0
  let nextSequence = 0
  let nextDiscontinuity = 0
  return {
    add(text: string): void {
      const first = numberIn(text, /^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m)
      const end = first + countOf(text, /^#EXTINF:/gm)
      segments += Math.max(0, end - Math.max(first, nextSequence))
      nextSequence = Math.max(nextSequence, end)
      const tagged = countOf(text, /^#EXT-X-DISCONTINUITY$/gm)
      const discontinuity = numberIn(text, /^#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)$/m) + tagged
      discontinuities += Math.min(tagged, Math.max(0, discontinuity - nextDiscontinuity))
      nextDiscontinuity = Math.max(nextDiscontinuity, discontinuity)
      for (const [, id] of text.matchAll(/^#EXT-X-DATERANGE:ID="([^"]+)".*SCTE35-OUT=/gm)) breaks.add(id!)
    },
    /** Ad breaks by the ids of their date ranges. */
    counts: () => ({ segments, discontinuities, breaks: breaks.size }),
  }
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
