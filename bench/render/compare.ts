import { DIRECT, fillOutput } from '@continuity/core/channels/output-fields'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { listDeltaTexts, listTexts } from '@continuity/core/hls/media-playlist'
import { createSegmentTexts, type SegmentTexts } from '@continuity/core/hls/segment-texts'
import type { Media } from '@continuity/core/media/media'
import { splitRun } from '@continuity/core/planning/make-run'
import { ticksOf } from '@continuity/core/time/ticks'
import { applyPacked, emptyPacked } from '@continuity/core/timeline/codec/packed'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { applyRun, emptyTimeline, type Run, type Timeline } from '@continuity/core/timeline/run'
import { type Figures, median, round } from '@continuity/dev/figures'
import { printPlaylistAt } from '../../packages/server/src/modules/playout/print-playlist.ts'
import { UNPACKED_TICKS, unpackFrom } from '../../packages/server/src/modules/playout/unpacked.ts'
import { DAY_START_MS, planDay } from './broadcast-day.ts'
import { paramsAt, type RenderCase, renderCases } from './cases.ts'

export interface RenderComparison {
  readonly rounds: number
  /** How long a round takes, all cases together. */
  readonly secondsPerRound: number
  log(line: string): void
}

/** Windows per case, each at a different time. */
const WINDOWS = 200

/** Both sides of a comparison: each makes the bytes of one of the windows. */
interface Sides {
  readonly ours: (at: number) => number
  readonly bare: (at: number) => number
}

/** The cost of rendering media playlists, and its ratio to copying their bytes. */
export function compareRender({ rounds, secondsPerRound, log }: RenderComparison): Figures {
  const run = planDay({ channel: 0, hours: 24, makeText: () => '' })
  const texts = createSegmentTexts({ mediaBase: '/media/', keptCharacters: 2 ** 30 })
  const turnMs = (secondsPerRound * 1_000) / renderCases.length / 2
  const figures = renderCases.map((it) => {
    const { sides, sizes } = prepare(it, run, texts)
    // The first round is a warm-up and does not count.
    const measured = Array.from({ length: rounds + 1 }, () => ({
      bare: microsecondsOf(sides.bare, turnMs),
      ours: microsecondsOf(sides.ours, turnMs),
    })).slice(1)
    const us = round(median(measured.map(({ ours }) => ours)), 2)
    const bareUs = round(median(measured.map(({ bare }) => bare)), 2)
    const ratio = round(median(measured.map(({ ours, bare }) => ours / bare)), 3)
    log(`${it.name}: ${us} µs, copying ${bareUs} µs, ratio ${ratio}`)
    return {
      [`${it.name}_us`]: us,
      [`${it.name}_copy_us`]: bareUs,
      [`${it.name}_ratio`]: ratio,
      [`${it.name}_segments`]: sizes.segments,
      [`${it.name}_bytes`]: sizes.bytes,
    }
  })
  return { ...Object.assign({}, ...figures), rounds }
}

function prepare(it: RenderCase, run: Run, texts: SegmentTexts) {
  const timeline = splitRun(run).reduce(applyRun, emptyTimeline)
  const paramsOf = paramsAt(timeline, texts, it)
  const times = chooseTimes((ms) => it.isWanted(paramsOf(ms)))
  const findWhole = wholeAssets(timeline, texts)
  const printAt = openNodePrinter(it, { run, texts, times })
  const list = it.isDelta ? listDeltaTexts : listTexts
  const copies = times.map((ms, at) => {
    const bytes = Buffer.from(printAt(at), 'latin1')
    const ranges = rangesOf(list(paramsOf(ms)), findWhole)
    if (!copyRanges(ranges, bytes.length).equals(bytes)) throw new Error('the copied bytes differ')
    return { ranges, length: bytes.length }
  })
  const segments = times.map((ms) =>
    paramsOf(ms).window.parts.reduce((sum, { from, to }) => sum + to - from, 0),
  )
  const sides: Sides = {
    ours: (at) => printAt(at % WINDOWS).length,
    bare: (at) => copyRanges(copies[at % WINDOWS]!.ranges, copies[at % WINDOWS]!.length).length,
  }
  return {
    sides,
    sizes: { segments: median(segments), bytes: Math.round(median(copies.map(({ length }) => length))) },
  }
}

/** Times throughout the day, without its first hour: a large window is not full yet. */
function chooseTimes(isWanted: (ms: number) => boolean): number[] {
  const times: number[] = []
  // A step that leads to a different part of a program each time.
  for (let at = 0; times.length < WINDOWS; at += 1) {
    const ms = DAY_START_MS + 3_600_000 + ((at * 7_654_321) % (22 * 3_600_000))
    if (isWanted(ms)) times.push(ms)
  }
  return times
}

/** The playlists of all assets as bytes, by one of their lines. */
function wholeAssets(timeline: Timeline, texts: SegmentTexts): (line: string) => Buffer {
  const wholes = new Map<string, Buffer>()
  for (const { spans } of timeline.runs) {
    for (const { show } of spans)
      if (show.kind === 'asset') wholes.set(show.media.path, wholeOf(show.media, texts))
  }
  return (line) => wholes.get(/\/media\/(.*)\/720p\//.exec(line)![1]!)!
}

function wholeOf(media: Media, texts: SegmentTexts): Buffer {
  const lines: string[] = []
  texts.addTexts(lines, media, '720p', 0, media.segmentCount)
  return Buffer.from(lines.join(''), 'latin1')
}

/** The median of short batches: other work on the machine disturbs few of them. */
function microsecondsOf(work: (at: number) => number, forMs: number): number {
  const batches: number[] = []
  const endMs = performance.now() + forMs
  do {
    const startMs = performance.now()
    for (let at = 0; at < WINDOWS; at += 1) work(at)
    batches.push(((performance.now() - startMs) * 1_000) / WINDOWS)
  } while (performance.now() < endMs)
  return median(batches)
}

/** A range of existing bytes. */
interface Range {
  readonly source: Buffer
  readonly from: number
  readonly to: number
}

/** The cost of a playlist without any lookup: a new buffer, and the ranges copied into it. */
function copyRanges(ranges: readonly Range[], length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const { source, from, to } of ranges) at += source.copy(bytes, at, from, to)
  return bytes
}

/**
 * The ranges of a playlist's texts: lines of segments are in the playlist of the whole asset, which `findWhole` returns
 * by a line; each of the other texts is a prepared buffer.
 */
function rangesOf(texts: readonly string[], findWhole: (line: string) => Buffer): Range[] {
  return joinAlike(texts).map((text) => {
    const source = isOfSegments(text) ? findWhole(text) : Buffer.from(text, 'latin1')
    const from = source.indexOf(text, 0, 'latin1')
    return { source, from, to: from + text.length }
  })
}

const isOfSegments = (text: string): boolean => text.startsWith('#EXTINF')

function joinAlike(texts: readonly string[]): string[] {
  const joined: string[] = []
  for (const text of texts) {
    const last = joined.at(-1)
    if (last !== undefined && isOfSegments(last) === isOfSegments(text)) joined.push(joined.pop()! + text)
    else joined.push(text)
  }
  return joined
}

/**
 * Prints playlists as a playout node does for the first viewer of each: from the unpacked part of the timeline, which a
 * node keeps for five minutes, to the text that it sends to all viewers. Returns the text at one of the times.
 */
function openNodePrinter(
  { windowMs, markers, isDelta }: RenderCase,
  {
    run,
    texts,
    times,
  }: { readonly run: Run; readonly texts: SegmentTexts; readonly times: readonly number[] },
): (at: number) => string {
  const output = { distributor: DIRECT, ...fillOutput({ windowMs, markers }) }
  const state: ChannelState = {
    epoch: 1,
    version: 1,
    channel: {
      accountId: 'account',
      channelId: 'channel',
      title: '',
      description: '',
      frameRate: 30,
      segmentMs: 3_200,
      outputs: [output],
    },
    timeline: splitRun(run).reduce(applyPacked, emptyPacked),
  }
  const parts = new Map<number, ReturnType<typeof unpackFrom>>()
  const requests = times.map((ms) => {
    const atTicks = ticksOf(ms)
    const fromTicks = Math.floor(atTicks / UNPACKED_TICKS) * UNPACKED_TICKS
    const unpacked = parts.get(fromTicks) ?? unpackFrom(state, fromTicks)
    if (unpacked === undefined) throw new Error('the packed timeline is corrupt')
    parts.set(fromTicks, unpacked)
    return { params: { state, output, rung: '720p', isDelta, atTicks }, unpacked }
  })
  return (at) => {
    const { params, unpacked } = requests[at]!
    return printPlaylistAt(params, unpacked, { live: noLive, texts }).text!
  }
}
