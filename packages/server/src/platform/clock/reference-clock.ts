import type { ClockReading } from '@continuity/core/time/clock-verdict'

/** The clock of another server, by its readings. */
export interface ReferenceClock {
  /** Reads it once more; a failed reading keeps the earlier ones. */
  sample(): Promise<void>
  /** How far a clock that shows `systemMs` now is ahead of it; undefined without recent readings. */
  reading(systemMs: number): ClockReading | undefined
  /** What it shows now; undefined without recent readings. */
  serverMs(): number | undefined
  readings(): number
}

/** The time of a server in ms, and the interval on the monotonic clock in which it was read. */
export interface ServerTime {
  readonly serverMs: number
  readonly fromMs: number
  readonly toMs: number
}

/** The median of so many readings counts, so that two outliers change nothing. */
export const READINGS = 5

/** Readings stay valid this long while a server is unavailable: the monotonic clock drifts by milliseconds meanwhile. */
const KEPT_MS = 300_000

interface Kept {
  /** The server's time when the monotonic clock showed 0. */
  readonly originMs: number
  readonly errorMs: number
  readonly atMs: number
}

/**
 * Readings are stored as differences to the monotonic clock, which is never set. So a step of the system clock is
 * visible at once, by readings taken before it.
 */
export function createReferenceClock(
  read: () => Promise<ServerTime | undefined>,
  monotonicMs: () => number = () => performance.now(),
): ReferenceClock {
  let kept: readonly Kept[] = []
  const medianAt = (nowMs: number): Kept | undefined => {
    kept = kept.filter(({ atMs }) => nowMs - atMs <= KEPT_MS)
    return kept.toSorted((a, b) => a.originMs - b.originMs)[Math.floor(kept.length / 2)]
  }
  return {
    async sample() {
      const time = await read().catch(() => undefined)
      if (time === undefined) return
      const { serverMs, fromMs, toMs } = time
      const atMs = (fromMs + toMs) / 2
      const errorMs = (toMs - fromMs) / 2
      kept = [...kept.slice(-READINGS + 1), { originMs: serverMs - atMs, errorMs, atMs }]
    },
    serverMs() {
      const median = medianAt(monotonicMs())
      return median && monotonicMs() + median.originMs
    },
    reading(systemMs) {
      const nowMs = monotonicMs()
      const median = medianAt(nowMs)
      if (median === undefined) return undefined
      return {
        offsetMs: Math.round(systemMs - nowMs - median.originMs),
        // Both times are rounded to milliseconds.
        errorMs: Math.ceil(median.errorMs) + 1,
      }
    },
    readings: () => kept.length,
  }
}
