import type { Airing, AssetShow } from '../timeline/span.ts'

/** A part of the schedule on segment boundaries: a span without sequence numbers. */
export interface Placement {
  readonly startTicks: number
  readonly segments: number
  readonly show: AssetShow
  readonly airing: Airing
  /** Planned length of the ad break that begins with it; for a pod joined in the middle, the remaining length. */
  readonly adBreakTicks: number | null
}
