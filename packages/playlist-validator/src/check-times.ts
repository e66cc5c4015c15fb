import { endOf, ROUNDING_MS, type Segment } from './playlist.ts'
import type { Report } from './rules.ts'

export interface Limits {
  readonly targetDuration: number
  /** Maximum length of the window; one more segment is allowed. */
  readonly maxWindowMs?: number
  /** How much later than one target duration the last segment may have ended. */
  readonly edgeToleranceMs?: number
  /** How far the validator's clock may be behind the clock of the playout node. */
  readonly clockToleranceMs?: number
}

export interface Reading {
  readonly atMs: number
  readonly isEnded: boolean
  /** When the last segment was first seen. */
  readonly grewAtMs: number
}

const EDGE_TOLERANCE_MS = 100

/** Checks the length of the window and the age of its last segment. */
export function checkTimes(
  window: readonly Segment[],
  reading: Reading,
  limits: Limits,
  report: Report,
): void {
  const [first, last] = [window[0], window.at(-1)]
  if (first === undefined || last === undefined) {
    if (!reading.isEnded) report('window-short', 'no segment is listed')
    return
  }
  checkLength(endOf(last) - first.startMs, reading.isEnded, limits, report)
  const aheadMs = endOf(last) - reading.atMs
  if (aheadMs > ROUNDING_MS + (limits.clockToleranceMs ?? 0)) {
    report('listed-early', `${last.uri} ends in ${aheadMs} ms`)
  }
  if (!reading.isEnded) checkEdge(aheadMs, reading, limits, report)
}

function checkLength(lengthMs: number, isEnded: boolean, limits: Limits, report: Report): void {
  const targetMs = limits.targetDuration * 1_000
  const longestMs = (limits.maxWindowMs ?? Number.POSITIVE_INFINITY) + targetMs + EDGE_TOLERANCE_MS
  if (!isEnded && lengthMs < 3 * targetMs - ROUNDING_MS) report('window-short', `${lengthMs} ms`)
  if (lengthMs > longestMs) report('window-long', `${lengthMs} ms`)
}

/** A late edge caused by a playlist without new segments is reported as `not-updated` only. */
export function checkEdge(
  aheadMs: number,
  { atMs, grewAtMs }: Reading,
  limits: Limits,
  report: Report,
): void {
  const targetMs = limits.targetDuration * 1_000
  if (atMs - grewAtMs > 1.5 * targetMs) report('not-updated', `for ${atMs - grewAtMs} ms`)
  else if (-aheadMs >= targetMs + (limits.edgeToleranceMs ?? EDGE_TOLERANCE_MS)) {
    report('edge-late', `by ${-aheadMs - targetMs} ms`)
  }
}
