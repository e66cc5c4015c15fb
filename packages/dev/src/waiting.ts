import { setTimeout as sleep } from 'node:timers/promises'

/** Whether the promise settles within the time. A rejection counts as settled and is left to its owner. */
export async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController()
  const settled = promise.then(
    () => true,
    () => true,
  )
  const timedOut = sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false)
  const result = await Promise.race([settled, timedOut])
  timer.abort()
  return result
}

/**
 * Polls until there is a value, and returns undefined when the time is over.
 *
 * 20 ms between two questions: unnoticed by a person, and next to no work on a loaded machine.
 */
export async function pollUntil<T>(
  poll: () => Promise<T | undefined> | T | undefined,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const endMs = performance.now() + timeoutMs
  for (;;) {
    signal?.throwIfAborted()
    const answer = await poll()
    if (answer !== undefined || performance.now() >= endMs) return answer
    await sleep(20, undefined, signal ? { signal } : {})
  }
}
