import { targetDurationOf } from '../media/house-format.ts'
import { loopOf } from '../media/media.ts'
import { ticksOf } from '../time/ticks.ts'
import type { ShownBreak } from '../timeline/breaks.ts'
import { discontinuitiesWithin, type LiveView } from '../timeline/discontinuity.ts'
import { continues, type Shown, shownInSlot } from '../timeline/shown.ts'
import { type AssetShow, type LiveShow, segmentsEndedBy, startOfSegment } from '../timeline/span.ts'
import { endOfPart, type Window, type WindowPart } from '../timeline/window.ts'
import { hasCues, hasRanges, type Markers, printCue, printRanges } from './markers.ts'
import { printDate, printDuration } from './print-time.ts'
import type { SegmentTexts } from './segment-texts.ts'

/** How an output's media playlists are printed. */
export interface PlaylistStyle {
  readonly segmentMs: 3_200 | 6_400
  readonly markers: Markers
  /** Length of the window. */
  readonly windowTicks: number
  /** From this age on, segments can be skipped in delta updates; undefined disables them. */
  readonly skipTicks: number | undefined
  /** How much later the dates are than those of the timeline. */
  readonly delayTicks: number
}

export interface PrintParams {
  readonly window: Window
  readonly breaks: readonly ShownBreak[]
  readonly style: PlaylistStyle
  readonly rung: string
  readonly texts: SegmentTexts
  readonly live: LiveView
}

/**
 * Shortest window with delta updates. The skip boundary must be at least six target durations (rfc8216bis
 * §4.4.3.8), so a shorter window would hardly have anything to skip.
 */
const SKIPPED_FROM_MS = 120_000

export function styleOf(
  segmentMs: 3_200 | 6_400,
  windowMs: number,
  markers: Markers,
  delayMs = 0,
): PlaylistStyle {
  const targetTicks = ticksOf(targetDurationOf(segmentMs) * 1_000)
  // rfc8216bis §6.2.2: a playlist must not become shorter than three target durations.
  const windowTicks = Math.max(ticksOf(windowMs), 3 * targetTicks)
  return {
    segmentMs,
    markers,
    windowTicks,
    skipTicks: windowMs >= SKIPPED_FROM_MS ? 6 * targetTicks : undefined,
    delayTicks: ticksOf(delayMs),
  }
}

/** The media playlist of a rendition. All characters are ASCII, so its length is its number of bytes. */
export const printPlaylist = (params: PrintParams): string => joinTexts(listTexts(params))

/** The same without the segments that a player already has from the previous playlist. */
export const printDelta = (params: PrintParams): string => joinTexts(listDeltaTexts(params))

/** The parts of a media playlist, in order, for a caller that joins them or copies them into a buffer. */
export function listTexts(params: PrintParams): string[] {
  const { window, style } = params
  const texts = [printHead(params, style.skipTicks === undefined ? 6 : 9)]
  addParts(texts, params, window.parts, undefined)
  if (window.isEnded) texts.push('#EXT-X-ENDLIST\n')
  return texts
}

export function listDeltaTexts(params: PrintParams): string[] {
  const { window, style } = params
  if (style.skipTicks === undefined || window.isEnded) return listTexts(params)
  const { skipped, parts, before } = skipSegments(window, window.endTicks - style.skipTicks, params.live)
  if (skipped === 0) return listTexts(params)
  const texts = [printHead(params, 9), `#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}\n`]
  addParts(texts, params, parts, before)
  return texts
}

function joinTexts(texts: readonly string[]): string {
  // Concatenated instead of joined: V8 then copies them once, when the text is read.
  let text = ''
  for (const it of texts) text += it
  return text
}

function printHead({ window, breaks, style }: PrintParams, version: number): string {
  const control =
    style.skipTicks === undefined
      ? ''
      : `#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=${style.skipTicks / 90_000}.0\n`
  return (
    `#EXTM3U\n#EXT-X-VERSION:${version}\n#EXT-X-TARGETDURATION:${targetDurationOf(style.segmentMs)}\n${control}` +
    `#EXT-X-MEDIA-SEQUENCE:${window.firstSequence}\n#EXT-X-DISCONTINUITY-SEQUENCE:${window.discontinuity}\n` +
    `#EXT-X-INDEPENDENT-SEGMENTS\n${breaks.length > 0 && hasRanges(style.markers) ? printRanges(breaks, style.delayTicks) : ''}`
  )
}

/**
 * `before` is the discontinuity number of the segment before the first; undefined at the start of the playlist.
 */
function addParts(
  texts: string[],
  params: PrintParams,
  parts: readonly WindowPart[],
  before: number | undefined,
): void {
  let number = before
  for (const part of parts) {
    const { show } = part.span
    number =
      show.kind === 'live'
        ? addLive(texts, params, part, show, number)
        : addAsset(texts, params, part, show, number)
  }
}

/**
 * Lines between two discontinuities or cues are copied from the cache. Returns the discontinuity number of the
 * last segment.
 */
function addAsset(
  texts: string[],
  params: PrintParams,
  part: WindowPart,
  { media, firstSegment, isLooped }: AssetShow,
  before: number | undefined,
): number {
  const round = isLooped ? loopOf(media).segments : media.segmentCount
  const hasCue = needsCues(params, part)
  let number = before
  let discontinuity = part.discontinuity
  for (let at = part.from; at < part.to; ) {
    const first = isLooped ? (firstSegment + at) % round : firstSegment + at
    const count = hasCue ? 1 : Math.min(round - first, part.to - at)
    if (first === 0 && at > part.from) discontinuity += 1
    const ticks = startOfSegment(part.span, at)
    if (number !== discontinuity) texts.push(printBreak(number, ticks + params.style.delayTicks))
    if (hasCue) texts.push(printCue(params.breaks, ticks))
    params.texts.addTexts(texts, media, params.rung, first, first + count)
    number = discontinuity
    at += count
  }
  return discontinuity
}

function addLive(
  texts: string[],
  params: PrintParams,
  part: WindowPart,
  show: LiveShow,
  before: number | undefined,
): number {
  const log = params.live.findLog(show.sourceId)
  const hasCue = needsCues(params, part)
  const lead = `#EXTINF:${printDuration(show.slotTicks)},\n`
  let number = before
  let discontinuity = part.discontinuity
  let last: Shown | undefined
  for (let at = part.from; at < part.to; at += 1) {
    const shown = shownInSlot(show, show.firstSlot + at, log)
    if (last !== undefined && !continues(last, shown)) discontinuity += 1
    const ticks = startOfSegment(part.span, at)
    if (number !== discontinuity) texts.push(printBreak(number, ticks + params.style.delayTicks))
    if (hasCue) texts.push(printCue(params.breaks, ticks))
    texts.push(`${lead}${params.texts.addressOf(shown, params.rung)}\n`)
    number = discontinuity
    last = shown
  }
  return discontinuity
}

/** The start and each discontinuity need a date, because a player cannot extrapolate across them. */
function printBreak(before: number | undefined, ticks: number): string {
  const date = printDate(ticks)
  return before === undefined
    ? `#EXT-X-PROGRAM-DATE-TIME:${date}\n`
    : `#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:${date}\n`
}

function needsCues({ style, breaks }: PrintParams, part: WindowPart): boolean {
  if (breaks.length === 0 || !hasCues(style.markers)) return false
  const startTicks = startOfSegment(part.span, part.from)
  const endTicks = endOfPart(part)
  return breaks.some((it) => it.startTicks < endTicks && startTicks <= it.endTicks)
}

interface Skipped {
  readonly skipped: number
  readonly parts: readonly WindowPart[]
  /** Discontinuity number of the last skipped segment; undefined if none was skipped. */
  readonly before: number | undefined
}

/** Skips the segments that have ended by a time. */
function skipSegments({ parts }: Window, ticks: number, live: LiveView): Skipped {
  const at = parts.findIndex((part) => endOfPart(part) > ticks)
  const part = parts[at]!
  const from = Math.max(part.from, segmentsEndedBy(part.span, ticks - part.span.startTicks))
  const left = { ...part, from, discontinuity: numberAt(part, from, live) }
  const before = from > part.from ? numberAt(part, from - 1, live) : numberOfLast(parts[at - 1], live)
  const skipped = part.span.firstSequence + from - (parts[0]!.span.firstSequence + parts[0]!.from)
  return { skipped, parts: [left, ...parts.slice(at + 1)], before }
}

const numberOfLast = (part: WindowPart | undefined, live: LiveView): number | undefined =>
  part === undefined ? undefined : numberAt(part, part.to - 1, live)

const numberAt = ({ span, from, discontinuity }: WindowPart, at: number, live: LiveView): number =>
  discontinuity + discontinuitiesWithin(span, at, live) - discontinuitiesWithin(span, from, live)
