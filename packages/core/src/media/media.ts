/** A packaged asset, as needed for a timeline. */
export interface Media {
  /** The folder of the package in the media store: `assets/{account}/{asset}/{package}`. */
  readonly path: string
  /** Length of every segment but the last, and the last before each cut. */
  readonly segmentTicks: number
  readonly segmentCount: number
  readonly durationTicks: number
  /** Where the parts after the first begin, in order. Absent if there is one part only. */
  readonly cuts?: readonly Cut[]
}

/** The start of a part: the boundary of segments at a cue point. */
export interface Cut {
  /** The first segment of the part. */
  readonly segment: number
  readonly ticks: number
}

/** What is repeated to fill time: segments of one length. */
export interface Loop {
  readonly segmentTicks: number
  readonly segments: number
}

/**
 * How a slate is repeated: its first part, without the last segment if the length of that differs from the others.
 * Then any time can be filled to within half a segment.
 */
export function loopOf({ segmentTicks, segmentCount, durationTicks, cuts }: Media): Loop {
  const { segment: count, ticks } = cuts?.[0] ?? { segment: segmentCount, ticks: durationTicks }
  if (count === 1) return { segmentTicks: ticks, segments: 1 }
  return { segmentTicks, segments: ticks === count * segmentTicks ? count : count - 1 }
}

/** The start of a segment; past the last one, the end of the media. */
export function ticksBefore(media: Media, segment: number): number {
  if (segment >= media.segmentCount) return media.durationTicks
  if (media.cuts === undefined) return segment * media.segmentTicks
  const cut = media.cuts.findLast((it) => it.segment <= segment) ?? START
  return cut.ticks + (segment - cut.segment) * media.segmentTicks
}

/** The number of segments that have ended `ticks` after the start. */
export function segmentsWithin(media: Media, ticks: number): number {
  if (ticks >= media.durationTicks) return media.segmentCount
  const cut = media.cuts?.findLast((it) => it.ticks <= ticks) ?? START
  const end = media.cuts?.find((it) => it.ticks > ticks)?.segment ?? media.segmentCount
  return Math.min(cut.segment + Math.floor((ticks - cut.ticks) / media.segmentTicks), end - 1)
}

/** Only the last segment of a part can be longer than the regular length; a single segment can be shorter. */
export function longestSegment(media: Media): number {
  const ends = [1, ...(media.cuts ?? []).map(({ segment }) => segment), media.segmentCount]
  return Math.max(...ends.map((end) => ticksBefore(media, end) - ticksBefore(media, end - 1)))
}

const START: Cut = { segment: 0, ticks: 0 }
