import type { Media } from '../media/media.ts'
import type { Airing, AssetShow, WindowedProgram } from '../timeline/span.ts'
import type { Warning } from './warning.ts'

/**
 * What a program shows and when, as if every segment began at its exact tick.
 *
 * It depends on the program and the slates only, not on where a layout begins. So a layout that starts in the
 * middle of a program gives the same placements.
 */
export interface Plan {
  readonly program: WindowedProgram
  readonly startTicks: number
  readonly endTicks: number
  /**
   * In order; each begins where the previous one ends. The last is the slate that fills up to the end of the
   * window.
   */
  readonly components: readonly PlannedComponent[]
  /** Half of the longest segment: the most by which a joined program is late or early. */
  readonly edgeTicks: number
  readonly items: readonly PlannedItem[]
}

/** When an item is due. An item due after the window is left out, but remains in the components. */
export interface PlannedItem {
  /** Relative to the start of the window. */
  readonly beginTicks: number
  readonly ticks: number
}

export type PlannedComponent = PlannedShow | PlannedSlate

/** A number of segments, unless the window ends earlier. */
export interface PlannedShow {
  readonly kind: 'show'
  /** Relative to the start of the window. */
  readonly beginTicks: number
  readonly ticks: number
  readonly show: AssetShow
  readonly segments: number
  readonly airing: Airing
  /** Null for a filler, which causes no warning when it is cut. */
  readonly item: number | null
}

/** A slate that lasts until `targetTicks`, however late or early it begins. */
export interface PlannedSlate {
  readonly kind: 'slate'
  readonly beginTicks: number
  readonly targetTicks: number
  readonly slate: Media
  readonly airing: Airing
  readonly warnings: readonly Warning[]
}
