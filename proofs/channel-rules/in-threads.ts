import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** The result of one history or channel; counts are summed. */
export interface Outcome {
  readonly counts: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

export interface Task {
  readonly name: 'history' | 'channel'
  readonly seed: number
  readonly hours?: number
}

/** After so many faults no further task is started. */
const MOST_FAULTS = 40

/** Runs tasks on all cores and sums their results. */
export async function doInThreads(
  tasks: readonly Task[],
  log: (done: number, outcome: Outcome) => void,
): Promise<Outcome> {
  const counts: Record<string, number> = {}
  const faults: string[] = []
  let started = 0
  let done = 0
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./thread.ts', import.meta.url))
      const next = () => {
        const task = faults.length < MOST_FAULTS ? tasks[started] : undefined
        started += 1
        if (task === undefined) void worker.terminate()
        else worker.postMessage(task)
      }
      worker.on('message', (outcome: Outcome) => {
        for (const [name, count] of Object.entries(outcome.counts)) counts[name] = (counts[name] ?? 0) + count
        faults.push(...outcome.faults)
        done += 1
        log(done, { counts, faults })
        next()
      })
      worker.once('error', reject)
      worker.once('exit', () => resolve())
      next()
    })
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), tasks.length) }, work))
  return { counts, faults }
}
