import type { Program, WindowedProgram } from '../timeline/span.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const HALF_HOUR_MS = 1_800_000

/**
 * Whether the end of an override is unknown. A return is never planned ahead: it takes effect within seconds,
 * so an end more than a day ahead is that of a live span without an end.
 */
export const isOpenOverride = (program: Program | null, endMs: number, nowMs: number): boolean =>
  program !== null && program.endMs === null && endMs > nowMs + DAY_MS

/**
 * The expected end of an open override in a guide: the end of the scheduled program that it covers now, because
 * a game that runs over usually replaces the rest of one program and not the next one. After that time, it is
 * extended to the end of the next.
 *
 * @param scheduled ordered by start
 */
export function expectedEndMs(startMs: number, nowMs: number, scheduled: readonly WindowedProgram[]): number {
  const atMs = Math.max(startMs, nowMs)
  const next = scheduled.find(({ endMs }) => endMs > atMs)
  if (next === undefined) return Math.ceil((atMs + HOUR_MS) / HALF_HOUR_MS) * HALF_HOUR_MS
  return next.startMs <= atMs ? next.endMs : next.startMs
}
