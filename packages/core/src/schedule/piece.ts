import type { Airing, AssetShow } from '../timeline/span.ts'

/** A piece of the schedule on segment boundaries: a span that has no numbers yet. */
export interface Piece {
  readonly startTicks: number
  readonly segments: number
  readonly show: AssetShow
  readonly airing: Airing
  /** The planned length of the ad break that begins with it; of a pod that is joined in the middle, what remains. */
  readonly adBreakTicks: number | null
}
