import { setTimeout as sleep } from 'node:timers/promises'

export interface Probe {
  readonly sentMs: number
  readonly endedMs: number
  readonly status: number
}

export interface Probes {
  readonly live: readonly Probe[]
  readonly ready: readonly Probe[]
  stop(): Promise<void>
}

const EVERY_MS = 100

/** Probes a process like a load balancer, without waiting for the answer before the next probe. */
export function startProbes(baseUrl: string): Probes {
  const live: Probe[] = []
  const ready: Probe[] = []
  const underWay: Promise<unknown>[] = []
  const state = { isStopped: false }
  const probe = async (path: string, into: Probe[]) => {
    const sentMs = performance.now()
    const status = await fetch(`${baseUrl}${path}`, { signal: AbortSignal.timeout(15_000) }).then(
      async (answer) => {
        await answer.text()
        return answer.status
      },
      () => 0,
    )
    into.push({ sentMs, endedMs: performance.now(), status })
  }
  const run = async () => {
    while (!state.isStopped) {
      underWay.push(probe('/livez', live), probe('/readyz', ready))
      await sleep(EVERY_MS)
    }
    await Promise.all(underWay)
  }
  const running = run()
  return {
    live,
    ready,
    async stop() {
      state.isStopped = true
      await running
    },
  }
}
