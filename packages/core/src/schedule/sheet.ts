import { offsetOf, type Span } from '../timeline/span.ts'
import type { Placement } from './placement.ts'
import type { Slates } from './scheduled-program.ts'
import type { Warning } from './warning.ts'

/** A layout under construction. */
export interface Sheet {
  readonly placements: Placement[]
  readonly warnings: Warning[]
  /** End of the last placement. */
  endTicks: number
  readonly untilTicks: number
  readonly slates: Slates
  /** What is shown before the first placement. */
  readonly before: Span | undefined
}

export const isEnough = ({ endTicks, untilTicks }: Sheet): boolean => endTicks >= untilTicks

/** Appends a placement at the end of the last one, unless it has no segments. */
export function addPlacement(sheet: Sheet, placement: Pick<Placement, 'segments' | 'show' | 'airing'>): void {
  if (placement.segments === 0) return
  const ticks = offsetOf(placement, placement.segments)
  const adBreakTicks = placement.airing.type === 'AD_POD' ? ticks : null
  sheet.placements.push({ startTicks: sheet.endTicks, ...placement, adBreakTicks })
  sheet.endTicks += ticks
}
