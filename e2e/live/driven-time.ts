import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/** The time of a process that is driven: it runs as fast as the process has nothing to do. */
export interface DrivenTime {
  nowMs(): number
  /** It stands still while this is done. */
  hold<T>(doing: Promise<T>): Promise<T>
  [Symbol.dispose](): void
}

const TICK_MS = 5

interface Sleeper {
  readonly untilMs: number
  wake(): void
}

/**
 * Drives `performance.now()` and the `setTimeout` of `node:timers/promises` in this process: `stepMs` pass in five
 * milliseconds, and none while it is busy. Whatever takes real time, an encoder or a disk, so takes none of the driven time,
 * and a slow machine changes nothing but how long the run takes. Other timers, sockets and `Date` keep the real time.
 */
export function driveTime(stepMs: number, isBusy: () => boolean): DrivenTime {
  const sleepers = new Set<Sleeper>()
  let nowMs = 0
  let held = 0
  const timer = setInterval(() => {
    if (held > 0 || isBusy()) return
    nowMs += stepMs
    for (const sleeper of sleepers) if (sleeper.untilMs <= nowMs) sleeper.wake()
  }, TICK_MS)

  const sleep = <T>(ms = 0, value?: T, { signal }: { readonly signal?: AbortSignal } = {}): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const end = () => {
        sleepers.delete(sleeper)
        signal?.removeEventListener('abort', abort)
      }
      const abort = () => {
        end()
        reject(new DOMException('The operation was aborted', 'AbortError'))
      }
      const sleeper: Sleeper = {
        untilMs: nowMs + ms,
        wake() {
          end()
          resolve(value as T)
        },
      }
      if (signal?.aborted === true) return abort()
      signal?.addEventListener('abort', abort, { once: true })
      sleepers.add(sleeper)
    })
  timers.setTimeout = sleep as typeof timers.setTimeout
  syncBuiltinESMExports()
  Object.defineProperty(performance, 'now', { value: () => nowMs })
  return {
    nowMs: () => nowMs,
    async hold(doing) {
      held += 1
      try {
        return await doing
      } finally {
        held -= 1
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
