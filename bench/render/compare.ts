import { createSegmentTexts, type SegmentTexts } from '@continuity/core/hls/segment-texts'
import { splitRun } from '@continuity/core/timeline/make-run'
import type { Media } from '@continuity/core/timeline/media'
import { applyRun, emptyTimeline, type Timeline } from '@continuity/core/timeline/run'
import { type Figures, median, round } from '../../tools/figures/figures.ts'
import { copyRanges, rangesOf } from './bare-copy.ts'
import { DAY_START_MS, planDay } from './broadcast-day.ts'
import { orderAt, type RenderCase, renderCases } from './cases.ts'
import { writeTexts } from './write-texts.ts'

export interface RenderComparison {
  readonly rounds: number
  /** How long a round takes, all cases together. */
  readonly secondsPerRound: number
  say(line: string): void
}

/** Windows of each case, each at a time of its own. */
const WINDOWS = 200

/** Both sides of a comparison: each makes the bytes of one of the windows. */
interface Sides {
  readonly ours: (at: number) => number
  readonly bare: (at: number) => number
}

/** What it takes to render media playlists, and how many times what it takes to copy their bytes. */
export function compareRender({ rounds, secondsPerRound, say }: RenderComparison): Figures {
  const run = planDay({ channel: 0, hours: 24, makeText: () => '' })
  const timeline = splitRun(run).reduce(applyRun, emptyTimeline)
  const texts = createSegmentTexts({ mediaBase: '/media/', keptCharacters: 2 ** 30 })
  const turnMs = (secondsPerRound * 1_000) / renderCases.length / 2
  const figures = renderCases.map((it) => {
    const { sides, told } = prepare(it, timeline, texts)
    // The first round warms both up and does not count.
    const taken = Array.from({ length: rounds + 1 }, () => ({
      bare: microsecondsOf(sides.bare, turnMs),
      ours: microsecondsOf(sides.ours, turnMs),
    })).slice(1)
    const us = round(median(taken.map(({ ours }) => ours)), 2)
    const bareUs = round(median(taken.map(({ bare }) => bare)), 2)
    const ratio = round(median(taken.map(({ ours, bare }) => ours / bare)), 3)
    say(`${it.name}: ${us} µs, copying ${bareUs} µs, ratio ${ratio}`)
    return {
      [`${it.name}_us`]: us,
      [`${it.name}_copy_us`]: bareUs,
      [`${it.name}_ratio`]: ratio,
      [`${it.name}_segments`]: told.segments,
      [`${it.name}_bytes`]: told.bytes,
    }
  })
  return { ...Object.assign({}, ...figures), rounds }
}

function prepare(it: RenderCase, timeline: Timeline, texts: SegmentTexts) {
  const order = orderAt(timeline, texts, it)
  const times = chooseTimes((ms) => it.isWanted(order(ms)))
  const findWhole = wholeAssets(timeline, texts)
  const copies = times.map((ms) => {
    const printed = it.print(order(ms))
    const bytes = writeTexts(printed)
    const ranges = rangesOf(printed, findWhole)
    if (!copyRanges(ranges, bytes.length).equals(bytes)) throw new Error('the copy has other bytes')
    return { ranges, length: bytes.length }
  })
  const segments = times.map((ms) => order(ms).window.parts.reduce((sum, { from, to }) => sum + to - from, 0))
  const sides: Sides = {
    ours: (at) => writeTexts(it.print(order(times[at % WINDOWS]!))).length,
    bare: (at) => copyRanges(copies[at % WINDOWS]!.ranges, copies[at % WINDOWS]!.length).length,
  }
  return {
    sides,
    told: { segments: median(segments), bytes: Math.round(median(copies.map(({ length }) => length))) },
  }
}

/** Times all over the day, but for its first hour: there a large window is not full yet. */
function chooseTimes(isWanted: (ms: number) => boolean): number[] {
  const times: number[] = []
  // A step that leads to another part of a program each time.
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
  return writeTexts(lines)
}

/** The median of short batches: others that work on the same machine disturb few of them. */
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
