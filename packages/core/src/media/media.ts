/** A packaged asset, as needed for a timeline. */
export interface Media {
  /** The folder of the package in the media store: `assets/{account}/{asset}/{package}`. */
  readonly path: string
  /** Length of every segment but the last. */
  readonly segmentTicks: number
  readonly segmentCount: number
  readonly durationTicks: number
}

/** What is repeated to fill time: segments of one length. */
export interface Loop {
  readonly segmentTicks: number
  readonly segments: number
}

/**
 * How a slate is repeated. Its last segment is skipped if its length differs from the others: then any time can
 * be filled to within half a segment.
 */
export function loopOf({ segmentTicks, segmentCount, durationTicks }: Media): Loop {
  if (segmentCount === 1) return { segmentTicks: durationTicks, segments: 1 }
  const isEven = durationTicks === segmentCount * segmentTicks
  return { segmentTicks, segments: isEven ? segmentCount : segmentCount - 1 }
}

/** The start of a segment; past the last one, the end of the media. */
export const ticksBefore = (media: Media, segment: number): number =>
  segment >= media.segmentCount ? media.durationTicks : segment * media.segmentTicks

/** The number of segments that have ended `ticks` after the start. */
export const segmentsWithin = (media: Media, ticks: number): number =>
  ticks >= media.durationTicks
    ? media.segmentCount
    : Math.min(Math.floor(ticks / media.segmentTicks), media.segmentCount - 1)
