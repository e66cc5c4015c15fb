/** How long a delivery is retried, and how long an endpoint may fail before its webhook is paused. */
export const RETRY_MS = 24 * 3_600_000

const FIRST_PAUSE_MS = 5_000
/** Longest delay until a repaired endpoint gets missed deliveries. */
const LONGEST_PAUSE_MS = 3_600_000

/** A fifth either way, so that deliveries that failed together are not retried together for a whole day. */
const JITTER = 0.2

/** Delay after an attempt, counted from 1, until the next. `chance` is from 0 to 1. */
export function retryPauseMs(attempts: number, chance: number): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS)
  return Math.round(pauseMs * (1 - JITTER + 2 * JITTER * chance))
}

/** Up to this many consecutive failures, other subjects of an endpoint are not delayed. */
const FREE_FAILURES = 3
const LONGEST_ENDPOINT_PAUSE_MS = 60_000

/** How long nothing is sent to an endpoint after consecutive failures. */
export function endpointPauseMs(failures: number): number {
  if (failures < FREE_FAILURES) return 0
  return Math.min(1_000 * 2 ** (failures - FREE_FAILURES), LONGEST_ENDPOINT_PAUSE_MS)
}

/** Whether a delivery that was first tried then is abandoned. */
export const isGivenUp = (firstAttemptMs: number, nowMs: number): boolean =>
  nowMs - firstAttemptMs >= RETRY_MS
