import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'

/** Driven time of a process: it runs fast while the process is idle. */
export interface DrivenTime {
  nowMs(): number
  /** It is stopped until the promise is settled. */
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
 * milliseconds, and none while it is busy. So what takes real time, an encoder or a disk, takes none of the driven time,
 * and a slow machine changes nothing but how long the run takes. Other timers, sockets and `Date` keep the real time.
 */
export function driveTime(stepMs: number, isBusy: () => boolean): DrivenTime {
  const sleepers = new Set<Sleeper>()
  let nowMs = 0
  let holds = 0
  const timer = setInterval(() => {
    if (holds > 0 || isBusy()) return
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
      holds += 1
      try {
        return await doing
      } finally {
        holds -= 1
      }
    },
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
