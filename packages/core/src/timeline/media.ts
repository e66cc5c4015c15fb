/** The packaged form of an asset, as far as a timeline needs it. */
export interface Media {
  /** The folder of the package in the media store: `assets/{account}/{asset}/{package}`. */
  readonly path: string
  /** Of every segment but the last. */
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
 * How a slate is repeated. Its last segment is left out where it is longer or shorter than the others: any time can
 * then be filled to within half a segment.
 */
export function loopOf({ segmentTicks, segmentCount, durationTicks }: Media): Loop {
  if (segmentCount === 1) return { segmentTicks: durationTicks, segments: 1 }
  const isEven = durationTicks === segmentCount * segmentTicks
  return { segmentTicks, segments: isEven ? segmentCount : segmentCount - 1 }
}

/** From the beginning to where that segment begins; past the last one, where the media ends. */
export const ticksBefore = (media: Media, segment: number): number =>
  segment >= media.segmentCount ? media.durationTicks : segment * media.segmentTicks

/** How many of its segments have ended so many ticks after the beginning. */
export const segmentsWithin = (media: Media, ticks: number): number =>
  ticks >= media.durationTicks
    ? media.segmentCount
    : Math.min(Math.floor(ticks / media.segmentTicks), media.segmentCount - 1)
