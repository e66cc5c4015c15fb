import type { ClockControl } from '../../packages/server/src/platform/clock/clock-control.ts'
import type { OnAirSystem } from '../on-air/on-air-system.ts'
import { createOutputWatch, lookOnce, type OutputWatch, type WatchedOutput } from '../on-air/output-watch.ts'

/** Viewers of every node, who look once a second of real time and after each step of the clock. */
export interface Viewers extends AsyncDisposable {
  /** Of the nodes, in their order. */
  readonly watches: readonly OutputWatch[]
  /** Looks that got no answer, or none that is a playlist. */
  readonly failures: readonly string[]
  /** Advances the clock in steps that are shorter than a window. */
  watchUntil(ms: number): Promise<void>
}

const EVERY_MS = 1_000
const STEP_MS = 9_000

export function openViewers(
  { nodes }: Pick<OnAirSystem, 'nodes'>,
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
  // One at a time: a step of the clock between a request and its answer would make the answer look late.
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    turn = turn.then(work)
    return turn
  }
  const look = () =>
    inTurn(async () => {
      for (const [at, { url }] of nodes.entries())
        await lookOnce(watches[at]!, url(), nowMs).catch((error: unknown) => failures.push(String(error)))
    })
  const ended = new AbortController()
  const watching = (async () => {
    while (!ended.signal.aborted) {
      await look()
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  })()
  return {
    watches,
    failures,
    async watchUntil(ms) {
      while (clock.nowMs() < ms) {
        const byMs = Math.min(STEP_MS, Math.ceil(ms - clock.nowMs()))
        await inTurn(() => clock.order({ kind: 'advance', byMs }))
        await look()
      }
    },
    async [Symbol.asyncDispose]() {
      ended.abort()
      await watching
    },
  }
}
