import { readFileSync } from 'node:fs'
import type { JobSystem } from './job-system.ts'
import { listenToWorkers, startWorkerProcess } from './worker-process.ts'

export interface Stops {
  /** Jobs that another worker had while the first was stopped. */
  readonly takenByAnother: number
  /** Runs of a worker that had been stopped, and that were refused when it woke. */
  readonly refused: number
  /** Jobs that the second worker no longer had when the first had been refused. */
  readonly disturbed: number
  /** Effects that were not had exactly once. */
  readonly wrongEffects: number
}

/**
 * Stops workers until another has their job, and wakes them: `stop` before the
 * effect, `stop_inside` in the middle of its transaction, with rows locked.
 */
export async function stopWorkers(
  system: JobSystem,
  opened: AsyncDisposableStack,
  options: { readonly job: 'stop' | 'stop_inside'; readonly times: number; say(line: string): void },
): Promise<Stops> {
  const words = listenToWorkers()
  const { job } = options
  const start = () => startWorkerProcess(opened, words, { databaseUrl: system.databaseUrl, job })
  const stops = { takenByAnother: 0, refused: 0, disturbed: 0, wrongEffects: 0 }
  await Promise.all([start(), start()])
  for (let i = 0; i < options.times; i += 1) {
    const effect = `${job} ${i}`
    const isWord =
      (wanted: string, attempt: number) => (word: { word: string; effect?: string; attempt?: number }) =>
        word.word === wanted && word.effect === effect && word.attempt === attempt
    await system.leave(job, effect)
    const first = await words.find(isWord(job === 'stop' ? 'running' : 'inside', 1))
    first.from.send('SIGSTOP')
    const second = await words.find(isWord('running', 2))
    options.say(`${job} ${i + 1}: taken over after ${Math.round(second.atMs - first.atMs)} ms`)
    if (second.from !== first.from && isStopped(first.from.pid)) stops.takenByAnother += 1
    if (job === 'stop_inside') await words.find(isWord('finished', 2))

    first.from.goOn(effect)
    first.from.send('SIGCONT')
    const woken = await words.find((word) => isWord('refused', 1)(word) || isWord('finished', 1)(word))
    if (woken.word.word === 'refused') stops.refused += 1
    else options.say(`${effect}: the worker that woke up finished a job that was another's`)
    if (job === 'stop') {
      const states = await system.statesOf(effect)
      if (states.join() !== 'active' || (await system.timesOf(effect)) !== 0) stops.disturbed += 1
      second.from.goOn(effect)
      await words.find((word) => isWord('refused', 2)(word) || isWord('finished', 2)(word))
    }
    const states = (await system.statesOf(effect)).join()
    const times = await system.timesOf(effect)
    if (times !== 1 || states !== 'completed') {
      stops.wrongEffects += 1
      options.say(`${effect}: the effect happened ${times} times, the job is ${states}`)
    }
  }
  return stops
}

/** proc(5): the state comes after the name in brackets. */
function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
}
