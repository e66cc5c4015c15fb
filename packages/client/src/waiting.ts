/** The maximum delay of setTimeout; a longer one would fire at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1

export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

/** Resolves after a time, or rejects with the signal's reason. */
export const sleep: Sleep = async (ms, signal) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, Math.min(ms, LONGEST_DELAY_MS))
  try {
    await untilAborted(promise, signal)
  } finally {
    clearTimeout(timer)
  }
}

/** The promise's outcome, or the signal's reason if that comes first. The promise itself is not cancelled. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

export interface Limits {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Calls `run` with a signal that aborts with the caller's, or after the timeout.
 *
 * `AbortSignal.any` and `AbortSignal.timeout` would be shorter, but leave a
 * running timer behind after every call.
 */
export async function withinLimits<T>(limits: Limits, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeoutMs, signal } = limits
  signal?.throwIfAborted()
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal?.reason)
  const onTimeout = () => controller.abort(new DOMException(`No answer in ${timeoutMs} ms`, 'TimeoutError'))
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(onTimeout, Math.min(timeoutMs, LONGEST_DELAY_MS))
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
