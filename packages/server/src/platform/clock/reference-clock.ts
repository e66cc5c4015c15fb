import type { ClockReading } from '@continuity/core/time/clock-verdict'

/** A clock of another server, as its readings show it. */
export interface ReferenceClock {
  /** Reads it once more; one that cannot be read keeps the readings that it has. */
  sample(): Promise<void>
  /** How far a clock that shows `systemMs` now is ahead of it; undefined where it was not read lately. */
  reading(systemMs: number): ClockReading | undefined
  /** What it shows now; undefined where it was not read lately. */
  serverMs(): number | undefined
  readings(): number
}

/** The time of a server in ms, and the bounds on the monotonic clock within which it was that time. */
export interface ServerTime {
  readonly serverMs: number
  readonly fromMs: number
  readonly toMs: number
}

/** The median of so many counts, so that two odd ones change nothing. */
export const READINGS = 5

/** While a server is unavailable its last readings count: the monotonic clock drifts by milliseconds in this time. */
const KEPT_MS = 300_000

interface Kept {
  /** What the server's clock showed when the monotonic clock showed 0. */
  readonly originMs: number
  readonly errorMs: number
  readonly atMs: number
}

/**
 * Readings are kept as differences to the monotonic clock, which no one sets. So a step of the system's clock is visible
 * at once in readings that were taken before it.
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
        // Times are whole milliseconds on both sides.
        errorMs: Math.ceil(median.errorMs) + 1,
      }
    },
    readings: () => kept.length,
  }
}
