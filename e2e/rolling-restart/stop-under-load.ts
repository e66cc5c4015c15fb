import { settlesWithin } from '../../tools/dev-stack/waiting.ts'
import type { RunningApi } from './api-pair.ts'
import type { Load } from './load.ts'

/** So many requests are waited for, but not for long: a load that is nearly over is thin. */
const CROWD = 4
const CROWD_TIMEOUT_MS = 500
const EXIT_TIMEOUT_MS = 30_000

export interface Stop {
  /** Requests under way at the signal. */
  readonly inFlight: number
  readonly drainMs: number
  readonly exit: string
}

/** Asks a process to end while requests are in flight, and waits until it has. Undefined when the load is over. */
export async function stopUnderLoad({ name, child }: RunningApi, load: Load): Promise<Stop | undefined> {
  await settlesWithin(load.whenInFlight(CROWD), CROWD_TIMEOUT_MS)
  await load.whenInFlight(1)
  if (load.isOver()) return undefined
  const inFlight = load.inFlight()
  const startMs = performance.now()
  process.kill(child.pid, 'SIGTERM')
  if (!(await settlesWithin(child.exited, EXIT_TIMEOUT_MS))) {
    throw new Error(`Process ${name} did not end within ${EXIT_TIMEOUT_MS / 1_000} s of SIGTERM.`)
  }
  return { inFlight, drainMs: performance.now() - startMs, exit: await child.exited }
}
