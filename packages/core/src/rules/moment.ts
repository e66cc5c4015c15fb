import type { CatalogIndex } from './catalog-index.ts'
import type { RatingLimit } from './rating-limits.ts'
import type { Separations } from './separation.ts'

/** What is allowed at the start of a program. */
export interface Moment {
  readonly startMs: number
  /** Where the segment ends. */
  readonly limitMs: number
  /** The longest program that the whole segment has time for. */
  readonly wholeMs: number
  /** The end of the longest program with a video of the class. */
  readonly classLimitMs: Float64Array
  /** What videos of the class would break. */
  readonly classMask: Uint8Array
}

export function createMoment(
  index: CatalogIndex,
  ratingLimit: RatingLimit,
  separations: Separations,
  times: Pick<Moment, 'startMs' | 'limitMs' | 'wholeMs'>,
): Moment {
  const ratings = new Map<string | null, number>()
  const limitOf = (rating: string | null) => {
    const known = ratings.get(rating) ?? Math.min(times.limitMs, ratingLimit(rating, times.startMs))
    ratings.set(rating, known)
    return known
  }
  return {
    ...times,
    classLimitMs: Float64Array.from(index.classes, ({ rating }) => limitOf(rating)),
    classMask: Uint8Array.from(index.classes, (each) => separations.ofClass(each, times.startMs)),
  }
}

/** Whether a video may begin at a moment and ends in time. */
export function fits(index: CatalogIndex, moment: Moment, video: number): boolean {
  const { startMs, classLimitMs } = moment
  const endMs = startMs + index.durationMs[video]!
  return (
    endMs <= classLimitMs[index.classOf[video]!]! &&
    index.availableMs[video]! <= startMs &&
    endMs <= index.expiredMs[video]!
  )
}

/** The separations that a video would break. */
export function maskOf(
  index: CatalogIndex,
  { startMs, classMask }: Moment,
  separations: Separations,
  video: number,
): number {
  return classMask[index.classOf[video]!]! | separations.ofVideo(index.videos[video]!, startMs)
}
