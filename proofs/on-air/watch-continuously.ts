import { checkOnce, type OutputWatch } from './output-watch.ts'

/** Checks an output every second, as players do, until it is disposed of. */
export interface Watching extends AsyncDisposable {
  /** Checks that got no answer, or one that is not a playlist. */
  readonly failures: readonly string[]
}

const EVERY_MS = 1_000

export function watchContinuously(
  watch: OutputWatch,
  nodeUrl: () => string,
  nowMs: () => number = Date.now,
): Watching {
  const ended = new AbortController()
  const failures: string[] = []
  const atMs = increasing(nowMs)
  const going = watchUntil(ended.signal, async () => {
    await checkOnce(watch, nodeUrl(), atMs).catch((error: unknown) => failures.push(String(error)))
  })
  return {
    failures,
    async [Symbol.asyncDispose]() {
      ended.abort()
      await going
    },
  }
}

async function watchUntil(signal: AbortSignal, check: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const startedMs = performance.now()
    await check()
    await rest(EVERY_MS - (performance.now() - startedMs), signal)
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** A time that always increases: two answers of one millisecond may differ by a boundary. */
function increasing(nowMs: () => number): () => number {
  let lastMs = 0
  return () => {
    lastMs = Math.max(lastMs + 1, nowMs())
    return lastMs
  }
}
