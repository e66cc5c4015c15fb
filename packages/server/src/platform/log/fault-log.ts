import type { Logger } from './logger.ts'

/** Faults of one kind are logged at most this often. */
const LOG_INTERVAL_MS = 1_000

/** Logs a fault that may repeat many times a second: at most once a second, with the number of repetitions. */
export function createFaultLog(logger: Logger, message: string): (error: unknown) => void {
  let loggedMs = Number.NEGATIVE_INFINITY
  let count = 0
  return (error) => {
    count += 1
    const nowMs = performance.now()
    if (nowMs - loggedMs < LOG_INTERVAL_MS) return
    logger.warn({ error: error instanceof Error ? error.message : String(error), times: count }, message)
    loggedMs = nowMs
    count = 0
  }
}
