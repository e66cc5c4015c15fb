import type { ClockControl } from '@continuity/dev/clock-control'
import { checkOnce, createOutputWatch, type OutputWatch, type WatchedOutput } from '../on-air/output-watch.ts'
import type { PlayoutNode } from '../on-air/playout-node.ts'

/** Viewers of every node, who check once a second of real time and after each step of the clock. */
export interface Viewers extends AsyncDisposable {
  /** One per node, in order. */
  readonly watches: readonly OutputWatch[]
  /** Checks that got no answer, or one that is not a playlist. */
  readonly failures: readonly string[]
  /** Advances the clock in steps shorter than a window. */
  watchUntil(ms: number): Promise<void>
}

const EVERY_MS = 1_000
const STEP_MS = 9_000

export function openViewers(
  { nodes }: { readonly nodes: readonly Pick<PlayoutNode, 'url'>[] },
  clock: ClockControl,
  output: WatchedOutput,
): Viewers {
  const watches = nodes.map(() => createOutputWatch(output))
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
      for (const [at, { url }] of nodes.entries())
        await checkOnce(watches[at]!, url(), nowMs).catch((error: unknown) => failures.push(String(error)))
    })
  const ended = new AbortController()
  const watching = (async () => {
    while (!ended.signal.aborted) {
      await check()
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  })()
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
    async [Symbol.asyncDispose]() {
      ended.abort()
      await watching
    },
  }
}
