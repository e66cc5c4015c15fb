import { planParts } from '../../media/cue-points.ts'
import type { SegmentMs } from '../../media/house-format.ts'
import type { Media } from '../../media/media.ts'
import { ticksOf } from '../../time/ticks.ts'
import { offsetOf } from '../../timeline/span.ts'
import { type Layout, layOut } from '../lay-out.ts'
import type { Placement } from '../placement.ts'
import type { Filler, ScheduledItem, ScheduledProgram, Slates } from '../scheduled-program.ts'

/** All times in these tests are in seconds after this. */
export const ORIGIN_MS = Date.UTC(2026, 0, 1)

export const ticks = (seconds: number): number => Math.round(seconds * 90_000)
export const at = (seconds: number): number => ticksOf(ORIGIN_MS) + ticks(seconds)
const msAt = (seconds: number): number => ORIGIN_MS + Math.round(seconds * 1_000)

/** Media of this length at 30 frames per second, packaged like any asset, in parts if there are cue points. */
export function aMedia(
  path: string,
  seconds: number,
  segmentMs: SegmentMs = 3_200,
  cueSeconds: readonly number[] = [],
): Media {
  const cueFrames = cueSeconds.map((it) => Math.round(it * 30))
  const { segments, cuts } = planParts(Math.round(seconds * 30), cueFrames, 30, segmentMs)
  const durationTicks = segments.reduce((sum, it) => sum + it, 0)
  const media = { path, segmentTicks: ticksOf(segmentMs), segmentCount: segments.length, durationTicks }
  return cuts.length === 0 ? media : { ...media, cuts }
}

export const aFiller = (name: string, seconds: number): Filler => ({
  referenceId: name,
  title: name,
  media: aMedia(name, seconds),
})

export const someSlates = (...fillers: readonly Filler[]): Slates => ({
  timeFill: aMedia('fill', 16, 1_600),
  rescue: aMedia('rescue', 32, 1_600),
  ad: aMedia('ad', 16, 1_600),
  fillers,
})

export function aVideo(
  name: string,
  seconds: number,
  segmentMs: SegmentMs = 3_200,
  cueSeconds: readonly number[] = [],
): ScheduledItem {
  const media = aMedia(name, seconds, segmentMs, cueSeconds)
  return { type: 'VIDEO', referenceId: name, title: name, media, declaredTicks: ticks(seconds) }
}

export const anUnready = (name: string, seconds: number): ScheduledItem => ({
  ...aVideo(name, seconds),
  media: null,
})

export const aPod = (seconds: number): ScheduledItem => ({
  type: 'AD_POD',
  referenceId: null,
  title: '',
  media: null,
  declaredTicks: ticks(seconds),
})

export function aProgram(
  startSeconds: number,
  endSeconds: number,
  ...items: readonly ScheduledItem[]
): ScheduledProgram {
  const [startMs, endMs] = [msAt(startSeconds), msAt(endSeconds)]
  const id = `from ${startSeconds}`
  return { program: { id, title: id, description: '', startMs, endMs }, items }
}

export const layOutSeconds = (
  fromSeconds: number,
  untilSeconds: number,
  programs: readonly ScheduledProgram[],
  slates: Slates = someSlates(),
): Layout => layOut({ fromTicks: at(fromSeconds), untilTicks: at(untilSeconds), programs, slates })

/** A layout as text: start of each placement, its media, first segment and number of segments. */
export const describeLayout = ({ placements }: Layout): readonly string[] =>
  placements.map(({ startTicks, segments, show }) => {
    const seconds = (startTicks - at(0)) / 90_000
    return `${seconds.toFixed(1)} ${show.media.path} ${show.firstSegment}+${segments}`
  })

export const endOf = (placement: Placement): number =>
  placement.startTicks + offsetOf(placement, placement.segments)
