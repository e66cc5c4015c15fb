import { lookOnce, type OutputWatch } from './output-watch.ts'

/** A look every second, as players make them; it ends when it is disposed of. */
export interface Watching extends AsyncDisposable {
  /** Looks that got no answer, or none that is a playlist. */
  readonly failures: readonly string[]
}

const EVERY_MS = 1_000

export function keepWatching(
  watch: OutputWatch,
  nodeUrl: () => string,
  nowMs: () => number = Date.now,
): Watching {
  const ended = new AbortController()
  const failures: string[] = []
  const atMs = increasing(nowMs)
  const going = watchUntil(ended.signal, async () => {
    await lookOnce(watch, nodeUrl(), atMs).catch((error: unknown) => failures.push(String(error)))
  })
  return {
    failures,
    async [Symbol.asyncDispose]() {
      ended.abort()
      await going
    },
  }
}

async function watchUntil(signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    const startedMs = performance.now()
    await look()
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

/** The time, and never the same twice: two answers of one millisecond may lie on both sides of a boundary. */
function increasing(nowMs: () => number): () => number {
  let lastMs = 0
  return () => {
    lastMs = Math.max(lastMs + 1, nowMs())
    return lastMs
  }
}
