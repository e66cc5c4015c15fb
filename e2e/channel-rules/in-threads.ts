import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** What one history or channel came to; numbers are added up. */
export interface Outcome {
  readonly counts: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

export interface Task {
  readonly name: 'history' | 'channel'
  readonly seed: number
  readonly hours?: number
}

/** After so many the outcome is certain: no further task begins. */
const MOST_FAULTS = 40

/** Does tasks on all cores, each of which follows from its seed, and adds up what they came to. */
export async function doInThreads(
  tasks: readonly Task[],
  say: (done: number, outcome: Outcome) => void,
): Promise<Outcome> {
  const counts: Record<string, number> = {}
  const faults: string[] = []
  let taken = 0
  let done = 0
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./thread.ts', import.meta.url))
      const next = () => {
        const task = faults.length < MOST_FAULTS ? tasks[taken] : undefined
        taken += 1
        if (task === undefined) void worker.terminate()
        else worker.postMessage(task)
      }
      worker.on('message', (outcome: Outcome) => {
        for (const [name, count] of Object.entries(outcome.counts)) counts[name] = (counts[name] ?? 0) + count
        faults.push(...outcome.faults)
        done += 1
        say(done, { counts, faults })
        next()
      })
      worker.once('error', reject)
      worker.once('exit', () => resolve())
      next()
    })
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), tasks.length) }, work))
  return { counts, faults }
}
