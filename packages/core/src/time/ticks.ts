import { TICKS_PER_MS } from '../media/house-format.ts'

/**
 * Positions on a timeline are ticks since 1970, not milliseconds: they are sums of durations, and a segment of
 * 131 frames at 30 fps is not a whole number of milliseconds. As numbers they are exact until the year 5000.
 */
export const ticksOf = (ms: number): number => ms * TICKS_PER_MS

/** The time at a position, in whole milliseconds. */
export const msOf = (ticks: number): number => Math.floor(ticks / TICKS_PER_MS)
