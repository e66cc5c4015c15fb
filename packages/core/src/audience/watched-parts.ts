import type { ComponentCell, WatchedComponent } from './component-cell.ts'

/** A part of a watched interval: so many milliseconds of one component in one minute of the channel's time. */
export interface WatchedPart {
  readonly minuteMs: number
  readonly component: WatchedComponent
  readonly ms: number
}

/**
 * How far behind the edge a player holds (RFC 8216 §6.3.3): what is watched at a time was on the air so much earlier.
 */
export const holdBackMs = (targetDurationMs: number): number => 3 * targetDurationMs

/** The parts of an interval of a channel's time. Time in which nothing was on the air is in none. */
export function* partsOf(
  startMs: number,
  endMs: number,
  findCell: (atMs: number) => ComponentCell,
): Generator<WatchedPart> {
  for (let atMs = startMs; atMs < endMs; ) {
    const { endMs: cellEndMs, minuteMs, component } = findCell(atMs)
    const untilMs = Math.min(cellEndMs, endMs)
    if (component !== null) yield { minuteMs, component, ms: untilMs - atMs }
    atMs = untilMs
  }
}
