/** Whether a channel must have a playlist at a time, as its orders alone have it; undefined where both are right. */
export interface ExpectedState {
  started(nowMs: number): void
  /** It stays on the air at least until `untilMs`: now, or the end of the program that it was to stop after. */
  stopped(nowMs: number, untilMs: number): void
  /** A stop that had not happened yet was taken back. */
  continued(): void
  at(ms: number): 'on' | 'off' | undefined
}

/** As docs/interface has these times. From an order to the first playlist that it may change. */
const PROPAGATION_MS = 1_500

/** For how long the last playlist of a channel that went off the air is served. */
const ENDED_MS = 60_000

/** A channel that comes back shows a playlist of slate first, all of which is later than its last segment. */
const PRE_ROLL_MS = 34_000

/** From a stop to the boundary between two segments where the channel ends, at most. */
const BOUNDARY_MS = 30_000

/** A program ends that near to its time. */
const NEAR_MS = 1_000

/** Computed from the orders and the documented times only, so that no mistake in a timeline can be in it too. */
export function createExpectedState(): ExpectedState {
  let onFromMs = Number.POSITIVE_INFINITY
  let onUntilMs = Number.POSITIVE_INFINITY
  let offFromMs = Number.NEGATIVE_INFINITY
  return {
    started(nowMs) {
      const isFirst = offFromMs === Number.NEGATIVE_INFINITY
      onFromMs = nowMs + PROPAGATION_MS + (isFirst ? 0 : PRE_ROLL_MS)
      onUntilMs = Number.POSITIVE_INFINITY
      offFromMs = Number.POSITIVE_INFINITY
    },
    stopped(nowMs, untilMs) {
      onUntilMs = Math.max(nowMs, untilMs - NEAR_MS)
      offFromMs = Math.max(nowMs, untilMs) + BOUNDARY_MS + ENDED_MS
    },
    continued() {
      onUntilMs = Number.POSITIVE_INFINITY
      offFromMs = Number.POSITIVE_INFINITY
    },
    at(ms) {
      if (ms >= onFromMs && ms < onUntilMs) return 'on'
      return ms >= offFromMs ? 'off' : undefined
    },
  }
}
