import type { Logger } from './logger.ts'

/** Faults of one kind are told at most this often. */
const TELL_MS = 1_000

/** Logs a fault that may come back many times a second: once a second, with how often it came. */
export function tellFaults(logger: Logger, message: string): (error: unknown) => void {
  let toldMs = Number.NEGATIVE_INFINITY
  let untold = 0
  return (error) => {
    untold += 1
    const nowMs = performance.now()
    if (nowMs - toldMs < TELL_MS) return
    logger.warn({ error: error instanceof Error ? error.message : String(error), times: untold }, message)
    toldMs = nowMs
    untold = 0
  }
}
