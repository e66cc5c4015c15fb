import { splitRun } from '@continuity/core/planning/make-run'
import { ticksOf } from '@continuity/core/time/ticks'
import {
  applyPacked,
  emptyPacked,
  type PackedTimeline,
  unpackBetween,
} from '@continuity/core/timeline/codec/packed'
import { decodeRun, encodeRun } from '@continuity/core/timeline/codec/run-codec'
import type { Run, Timeline } from '@continuity/core/timeline/run'
import { median, round } from '@continuity/dev/figures'
import { DAY_START_MS, planDay } from '../render/broadcast-day.ts'
import { createProgramTexts } from './program-texts.ts'

/**
 * Loads the timelines of many channels and reports their memory to its parent. A separate process, so that nothing
 * else is counted.
 */
const [channels, hours] = process.argv.slice(2).map(Number) as [number, number]
const makeText = createProgramTexts()

/** Channels whose runs are timed. */
const SAMPLED = Math.min(channels, 50)

const runsOf = (channel: number): Run[] => splitRun(planDay({ channel, hours, makeText }))
const pack = (channel: number): PackedTimeline => runsOf(channel).reduce(applyPacked, emptyPacked)

/** A node keeps unpacked what one window needs, and the segments of the next seconds. */
const nowTicks = ticksOf(DAY_START_MS + (hours * 3_600_000) / 2)
const unpackNow = (timeline: PackedTimeline): Timeline =>
  unpackBetween(timeline, nowTicks - ticksOf(32_000), nowTicks + ticksOf(10_000))!

// Channels planned before the measurement load the compiled code into memory.
const samples = Array.from({ length: SAMPLED }, (_, at) => runsOf(channels + at)).flat()
const packedSamples = Array.from({ length: SAMPLED }, (_, at) => pack(channels + at))
const encoded = samples.map(encodeRun)
const times = {
  encode_run_us: medianTime(samples, encodeRun),
  decode_run_us: medianTime(encoded, decodeRun),
  unpack_window_us: medianTime(packedSamples, unpackNow),
}

const before = readMemory()
const timelines: PackedTimeline[] = []
for (let channel = 0; channel < channels; channel += 1) {
  timelines.push(pack(channel))
  // Garbage of the planning would make the process larger than a node, which receives its runs.
  if (channel % 100 === 0) globalThis.gc?.()
}
const packed = readMemory()
const slices = timelines.map(unpackNow)
const hot = readMemory()

const spans = samples.reduce((sum, run) => sum + run.spans.length, 0) / packedSamples.length
const bytes = encoded.reduce((sum, it) => sum + it.length, 0) / packedSamples.length
process.send?.({
  channels: timelines.length,
  hours,
  rss_mb: round((packed.rss - before.rss) / 1e6, 1),
  heap_and_external_mb: round((packed.used - before.used) / 1e6, 1),
  kb_per_channel: round((packed.used - before.used) / channels / 1e3, 2),
  spans_per_channel: round(spans, 1),
  runs_per_channel: round(samples.length / packedSamples.length, 1),
  encoded_bytes_per_span: round(bytes / spans, 1),
  bytes_per_span: round((packed.used - before.used) / channels / spans, 1),
  ...times,
  hot_channels: slices.length,
  hot_rss_mb: round((hot.rss - before.rss) / 1e6, 1),
  hot_heap_and_external_mb: round((hot.used - before.used) / 1e6, 1),
})

function readMemory(): { readonly rss: number; readonly used: number } {
  for (let at = 0; at < 3; at += 1) globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, used: heapUsed + external }
}

/** The median time of one call, in microseconds, after a warm-up. */
function medianTime<T>(items: readonly T[], work: (item: T) => unknown): number {
  const rounds = Array.from({ length: 8 }, () => {
    const startMs = performance.now()
    for (const item of items) work(item)
    return ((performance.now() - startMs) * 1_000) / items.length
  })
  return round(median(rounds.slice(3)), 2)
}
