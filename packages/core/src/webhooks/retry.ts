/** How long a delivery is tried, and how long an endpoint may fail before its webhook is paused. */
export const RETRY_MS = 24 * 3_600_000

const FIRST_PAUSE_MS = 5_000
/** A repaired endpoint waits no longer than this for what it has missed. */
const LONGEST_PAUSE_MS = 3_600_000

/** A fifth either way, so that what failed together is not tried together for a whole day. */
const JITTER = 0.2

/** How long after the attempt of this number, the first being 1, the next is made. `chance` is from 0 to 1. */
export function retryPauseMs(attempts: number, chance: number): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS)
  return Math.round(pauseMs * (1 - JITTER + 2 * JITTER * chance))
}

/** Other subjects of an endpoint are tried after this many failures in a row as before. */
const FREE_FAILURES = 3
const LONGEST_ENDPOINT_PAUSE_MS = 60_000

/** How long an endpoint is left alone after so many failures in a row, whatever is waiting for it. */
export function endpointPauseMs(failures: number): number {
  if (failures < FREE_FAILURES) return 0
  return Math.min(1_000 * 2 ** (failures - FREE_FAILURES), LONGEST_ENDPOINT_PAUSE_MS)
}

/** Whether a delivery that was first tried then is given up. */
export const isGivenUp = (firstAttemptMs: number, nowMs: number): boolean =>
  nowMs - firstAttemptMs >= RETRY_MS
