import { targetDurationOf } from '../packaging/house-format.ts'
import { ticksOf } from '../time/ticks.ts'
import type { ShownBreak } from '../timeline/breaks.ts'
import type { LiveView } from '../timeline/discontinuity.ts'
import { loopOf } from '../timeline/media.ts'
import { continues, type Shown, shownInSlot } from '../timeline/shown.ts'
import { type AssetShow, type LiveShow, startOfSegment } from '../timeline/span.ts'
import { endOfPart, type Window, type WindowPart } from '../timeline/window.ts'
import { hasCues, hasRanges, type Markers, printCue, printRanges } from './markers.ts'
import { printDate, printDuration } from './print-time.ts'
import type { SegmentTexts } from './segment-texts.ts'
import { skipSegments } from './skip-segments.ts'

/** How an output's media playlists are printed. */
export interface PlaylistStyle {
  readonly segmentMs: 3_200 | 6_400
  readonly markers: Markers
  /** How much is listed. */
  readonly windowTicks: number
  /** Whether a player may ask for the newest part alone; undefined: it may not. */
  readonly skipTicks: number | undefined
}

export interface PrintOrder {
  readonly window: Window
  readonly breaks: readonly ShownBreak[]
  readonly style: PlaylistStyle
  readonly rung: string
  readonly texts: SegmentTexts
  readonly live: LiveView
}

/**
 * From this length on a window is worth a delta update. The limit for skipping must be six target durations at least
 * (rfc8216bis §4.4.3.8), and a shorter window would hardly have anything to skip.
 */
const SKIPPED_FROM_MS = 120_000

export function styleOf(segmentMs: 3_200 | 6_400, windowMs: number, markers: Markers): PlaylistStyle {
  const targetTicks = ticksOf(targetDurationOf(segmentMs) * 1_000)
  // rfc8216bis §6.2.2: a playlist must not become shorter than three target durations.
  const windowTicks = Math.max(ticksOf(windowMs), 3 * targetTicks)
  return {
    segmentMs,
    markers,
    windowTicks,
    skipTicks: windowMs >= SKIPPED_FROM_MS ? 6 * targetTicks : undefined,
  }
}

/** The media playlist of a rendition. All of its characters are ASCII, so the text is as long as its bytes. */
export const printPlaylist = (order: PrintOrder): string => joinTexts(listTexts(order))

/** The same without the segments that a player has, if it holds the playlist before this one. */
export const printDelta = (order: PrintOrder): string => joinTexts(listDeltaTexts(order))

/**
 * The texts that a media playlist is put together of. To write them into a buffer one by one takes less than
 * half of the time that it takes to make one text of them first: a long text is put on fresh pages of memory, and
 * copied a second time from there.
 */
export function listTexts(order: PrintOrder): string[] {
  const { window, style } = order
  const texts = [printHead(order, style.skipTicks === undefined ? 6 : 9)]
  addParts(texts, order, window.parts, undefined)
  if (window.isEnded) texts.push('#EXT-X-ENDLIST\n')
  return texts
}

export function listDeltaTexts(order: PrintOrder): string[] {
  const { window, style } = order
  if (style.skipTicks === undefined || window.isEnded) return listTexts(order)
  const { skipped, parts, before } = skipSegments(window, window.endTicks - style.skipTicks, order.live)
  if (skipped === 0) return listTexts(order)
  const texts = [printHead(order, 9), `#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}\n`]
  addParts(texts, order, parts, before)
  return texts
}

function joinTexts(texts: readonly string[]): string {
  // Added up and not joined: V8 then copies them once, when somebody reads the text.
  let text = ''
  for (const it of texts) text += it
  return text
}

function printHead({ window, breaks, style }: PrintOrder, version: number): string {
  const control =
    style.skipTicks === undefined
      ? ''
      : `#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=${style.skipTicks / 90_000}.0\n`
  return (
    `#EXTM3U\n#EXT-X-VERSION:${version}\n#EXT-X-TARGETDURATION:${targetDurationOf(style.segmentMs)}\n${control}` +
    `#EXT-X-MEDIA-SEQUENCE:${window.firstSequence}\n#EXT-X-DISCONTINUITY-SEQUENCE:${window.discontinuity}\n` +
    `#EXT-X-INDEPENDENT-SEGMENTS\n${breaks.length > 0 && hasRanges(style.markers) ? printRanges(breaks) : ''}`
  )
}

/** `before` is the discontinuity number of the segment before the first; undefined: the playlist begins here. */
function addParts(
  texts: string[],
  order: PrintOrder,
  parts: readonly WindowPart[],
  before: number | undefined,
): void {
  let number = before
  for (const part of parts) {
    const { show } = part.span
    number =
      show.kind === 'live'
        ? addLive(texts, order, part, show, number)
        : addAsset(texts, order, part, show, number)
  }
}

/**
 * From one discontinuity or cue to the next, the lines are copied as they were made. Gives the discontinuity number
 * of the last segment.
 */
function addAsset(
  texts: string[],
  order: PrintOrder,
  part: WindowPart,
  { media, firstSegment, isLooped }: AssetShow,
  before: number | undefined,
): number {
  const round = isLooped ? loopOf(media).segments : media.segmentCount
  const hasCue = needsCues(order, part)
  let number = before
  let discontinuity = part.discontinuity
  for (let at = part.from; at < part.to; ) {
    const first = isLooped ? (firstSegment + at) % round : firstSegment + at
    const count = hasCue ? 1 : Math.min(round - first, part.to - at)
    if (first === 0 && at > part.from) discontinuity += 1
    const ticks = startOfSegment(part.span, at)
    if (number !== discontinuity) texts.push(printBreak(number, ticks))
    if (hasCue) texts.push(printCue(order.breaks, ticks))
    order.texts.addTexts(texts, media, order.rung, first, first + count)
    number = discontinuity
    at += count
  }
  return discontinuity
}

function addLive(
  texts: string[],
  order: PrintOrder,
  part: WindowPart,
  show: LiveShow,
  before: number | undefined,
): number {
  const log = order.live.findLog(show.sourceId)
  const hasCue = needsCues(order, part)
  const lead = `#EXTINF:${printDuration(show.slotTicks)},\n`
  let number = before
  let discontinuity = part.discontinuity
  let last: Shown | undefined
  for (let at = part.from; at < part.to; at += 1) {
    const shown = shownInSlot(show, show.firstSlot + at, log)
    if (last !== undefined && !continues(last, shown)) discontinuity += 1
    const ticks = startOfSegment(part.span, at)
    if (number !== discontinuity) texts.push(printBreak(number, ticks))
    if (hasCue) texts.push(printCue(order.breaks, ticks))
    texts.push(`${lead}${order.texts.addressOf(shown, order.rung)}\n`)
    number = discontinuity
    last = shown
  }
  return discontinuity
}

/** A date stands at the beginning and after each discontinuity: there a player cannot count on. */
function printBreak(before: number | undefined, ticks: number): string {
  const date = printDate(ticks)
  return before === undefined
    ? `#EXT-X-PROGRAM-DATE-TIME:${date}\n`
    : `#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:${date}\n`
}

function needsCues({ style, breaks }: PrintOrder, part: WindowPart): boolean {
  if (breaks.length === 0 || !hasCues(style.markers)) return false
  const startTicks = startOfSegment(part.span, part.from)
  const endTicks = endOfPart(part)
  return breaks.some((it) => it.startTicks < endTicks && startTicks <= it.endTicks)
}
