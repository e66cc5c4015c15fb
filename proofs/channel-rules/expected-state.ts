/** Whether a channel must have a playlist at a time, from its commands alone; undefined where both are allowed. */
export interface ExpectedState {
  started(nowMs: number): void
  /** It stays on air at least until `untilMs`: now, or the end of the program after which it stops. */
  stopped(nowMs: number, untilMs: number): void
  /** A pending stop was cancelled. */
  continued(): void
  at(ms: number): 'on' | 'off' | undefined
}

/** Times documented in docs/interface. From a command to the first playlist that it may change. */
const PROPAGATION_MS = 1_500

/** How long the last playlist of a channel that went off air is served. */
const ENDED_MS = 60_000

/** A channel that returns first shows a playlist of slate that is entirely later than its last segment. */
const PRE_ROLL_MS = 34_000

/** Maximum time from a stop to the segment boundary where the channel ends. */
const BOUNDARY_MS = 30_000

/** How far a program may end from its time. */
const NEAR_MS = 1_000

/** Computed from the commands and the documented times only, so that it cannot share a mistake with a timeline. */
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
