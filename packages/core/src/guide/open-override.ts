import type { Program, WindowedProgram } from '../timeline/span.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const HALF_HOUR_MS = 1_800_000

/**
 * Whether nobody knows yet when that override ends. A return is never planned ahead: one that was ordered takes
 * effect within seconds, so an end that lies more than a day ahead is the far end of a live span without one.
 */
export const isOpenOverride = (program: Program | null, endMs: number, nowMs: number): boolean =>
  program !== null && program.endMs === null && endMs > nowMs + DAY_MS

/**
 * When a guide may say that an open override ends: where the scheduled program ends that it covers now, since a
 * game that runs over mostly costs the rest of one program and not the next one too. Asked again after that time,
 * it has rolled on to the end of the next.
 *
 * @param scheduled in the order in which they begin
 */
export function expectedEndMs(startMs: number, nowMs: number, scheduled: readonly WindowedProgram[]): number {
  const atMs = Math.max(startMs, nowMs)
  const next = scheduled.find(({ endMs }) => endMs > atMs)
  if (next === undefined) return Math.ceil((atMs + HOUR_MS) / HALF_HOUR_MS) * HALF_HOUR_MS
  return next.startMs <= atMs ? next.endMs : next.startMs
}
