import { TICKS_PER_MS } from '../packaging/house-format.ts'

/**
 * Places on a timeline are ticks since 1970, and not milliseconds: they are sums of durations, and a segment of 131
 * frames at 30 a second has no whole number of milliseconds. Until the year 5000 they are exact as numbers.
 */
export const ticksOf = (ms: number): number => ms * TICKS_PER_MS

/** What a clock shows at that place, in whole milliseconds. */
export const msOf = (ticks: number): number => Math.floor(ticks / TICKS_PER_MS)
