import type { Media } from '../timeline/media.ts'
import type { Airing, AssetShow, WindowedProgram } from '../timeline/span.ts'
import type { Warning } from './warning.ts'

/**
 * What a program shows and when, if every segment began to the tick.
 *
 * It follows from the program and the slates alone, and not from where a layout begins. That is why the same
 * pieces come out when a layout is taken up in the middle of a program.
 */
export interface Plan {
  readonly program: WindowedProgram
  readonly startTicks: number
  readonly endTicks: number
  /** In order; each begins where the one before ends. The last is the slate that leads to the window's end. */
  readonly components: readonly PlannedComponent[]
  /** Half of the longest segment: a program is late or early by no more, however it was joined. */
  readonly edgeTicks: number
  readonly items: readonly PlannedItem[]
}

/** When an item is due. One that is due after the window is left out, but is among the components all the same. */
export interface PlannedItem {
  /** Counted from the beginning of the window. */
  readonly beginTicks: number
  readonly ticks: number
}

export type PlannedComponent = PlannedShow | PlannedSlate

/** So many segments, unless the window ends before. */
export interface PlannedShow {
  readonly kind: 'show'
  /** Counted from the beginning of the window. */
  readonly beginTicks: number
  readonly ticks: number
  readonly show: AssetShow
  readonly segments: number
  readonly airing: Airing
  /** Null for a filler, which nobody misses when it is cut. */
  readonly item: number | null
}

/** A slate for as long as it takes to come to a place of the plan, however late or early it begins. */
export interface PlannedSlate {
  readonly kind: 'slate'
  readonly beginTicks: number
  readonly targetTicks: number
  readonly slate: Media
  readonly airing: Airing
  readonly warnings: readonly Warning[]
}
