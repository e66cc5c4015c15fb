import { endOf, ROUNDING_MS, type Segment } from './playlist.ts'
import type { Report } from './rules.ts'

export interface Limits {
  readonly targetDuration: number
  /** How long the window may be, to which a segment is allowed. */
  readonly maxWindowMs?: number
  /** How much later than one target duration the edge may be. */
  readonly edgeToleranceMs?: number
  /** How far the reader's clock may be behind that of the node that answered. */
  readonly clockToleranceMs?: number
}

export interface Sight {
  readonly atMs: number
  readonly isEnded: boolean
  /** When the last segment was first seen. */
  readonly grewAtMs: number
}

const EDGE_TOLERANCE_MS = 100

/** Checks how long the window is, and how far it reaches. */
export function checkTimes(window: readonly Segment[], sight: Sight, limits: Limits, report: Report): void {
  const [first, last] = [window[0], window.at(-1)]
  if (first === undefined || last === undefined) {
    if (!sight.isEnded) report('window-short', 'no segment is listed')
    return
  }
  checkLength(endOf(last) - first.startMs, sight.isEnded, limits, report)
  const aheadMs = endOf(last) - sight.atMs
  if (aheadMs > ROUNDING_MS + (limits.clockToleranceMs ?? 0)) {
    report('listed-early', `${last.uri} ends in ${aheadMs} ms`)
  }
  if (!sight.isEnded) checkEdge(aheadMs, sight, limits, report)
}

function checkLength(lengthMs: number, isEnded: boolean, limits: Limits, report: Report): void {
  const targetMs = limits.targetDuration * 1_000
  const longestMs = (limits.maxWindowMs ?? Number.POSITIVE_INFINITY) + targetMs + EDGE_TOLERANCE_MS
  if (!isEnded && lengthMs < 3 * targetMs - ROUNDING_MS) report('window-short', `${lengthMs} ms`)
  if (lengthMs > longestMs) report('window-long', `${lengthMs} ms`)
}

/** An edge that is late because nothing was added is told as that alone. */
export function checkEdge(aheadMs: number, { atMs, grewAtMs }: Sight, limits: Limits, report: Report): void {
  const targetMs = limits.targetDuration * 1_000
  if (atMs - grewAtMs > 1.5 * targetMs) report('not-updated', `for ${atMs - grewAtMs} ms`)
  else if (-aheadMs >= targetMs + (limits.edgeToleranceMs ?? EDGE_TOLERANCE_MS)) {
    report('edge-late', `by ${-aheadMs - targetMs} ms`)
  }
}
