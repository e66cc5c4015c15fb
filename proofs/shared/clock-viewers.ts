import { setTimeout as sleep } from 'node:timers/promises'
import type { ClockControl } from '@continuity/dev/clock-control'
import { keepDoing } from '@continuity/dev/keep-doing'
import { checkOnce, createOutputWatch, type OutputWatch } from './output-watch.ts'
import type { WatchedOutput } from './outputs.ts'

/** Viewers who check once a second of real time and after each step of the clock. */
export interface Viewers extends AsyncDisposable {
  /** One per viewer, in order. */
  readonly watches: readonly OutputWatch[]
  /** Checks that got no answer, or one that is not a playlist. */
  readonly failures: readonly string[]
  /** Advances the clock in steps shorter than a window. */
  watchUntil(ms: number): Promise<void>
}

const STEP_MS = 9_000

/** A viewer for each address, which may be another at each check. */
export function openViewers(
  addresses: readonly (() => string)[],
  clock: ClockControl,
  output: WatchedOutput,
): Viewers {
  const watches = addresses.map(() => createOutputWatch(output))
  const failures: string[] = []
  let lastMs = 0
  const nowMs = () => {
    lastMs = Math.max(lastMs + 1, clock.nowMs())
    return lastMs
  }
  // One at a time: a clock step between a request and its answer would make the answer seem late.
  let queue: Promise<void> = Promise.resolve()
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    queue = queue.then(work)
    return queue
  }
  const check = () =>
    enqueue(async () => {
      for (const [at, address] of addresses.entries())
        await checkOnce(watches[at]!, address(), nowMs).catch((error: unknown) =>
          failures.push(String(error)),
        )
    })
  const watching = keepDoing(async () => {
    await check()
    await sleep(1_000)
  })
  return {
    watches,
    failures,
    async watchUntil(ms) {
      while (clock.nowMs() < ms) {
        const byMs = Math.min(STEP_MS, Math.ceil(ms - clock.nowMs()))
        await enqueue(() => clock.steer({ kind: 'advance', byMs }))
        await check()
      }
    },
    [Symbol.asyncDispose]: watching.stop,
  }
}
