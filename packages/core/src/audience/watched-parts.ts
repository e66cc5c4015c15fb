import type { ComponentCell, WatchedComponent } from './component-cell.ts'

/**
 * How far behind the live edge a player plays (RFC 8216 §6.3.3): what is watched at a time was on the air this
 * much earlier.
 */
export const holdBackMs = (targetDurationMs: number): number => 3 * targetDurationMs

/**
 * Splits an interval of a channel's time into parts of one component and one minute each. Time in which nothing
 * was on the air is skipped.
 */
export function splitWatched<Cell extends ComponentCell>(
  startMs: number,
  endMs: number,
  findCell: (atMs: number) => Cell,
  add: (cell: Cell, component: WatchedComponent, ms: number) => void,
): void {
  for (let atMs = startMs; atMs < endMs; ) {
    const cell = findCell(atMs)
    const untilMs = Math.min(cell.endMs, endMs)
    if (cell.component !== null) add(cell, cell.component, untilMs - atMs)
    atMs = untilMs
  }
}
