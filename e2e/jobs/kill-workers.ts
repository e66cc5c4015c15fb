import { setTimeout as sleep } from 'node:timers/promises'
import type { JobSystem } from './job-system.ts'
import { listenToWorkers, startWorkerProcess } from './worker-process.ts'

export interface Kills {
  /** From the death of a worker until another had its job, each time. */
  readonly takeoverMs: readonly number[]
  /** Effects that were not had exactly once. */
  readonly wrongEffects: number
}

/** Kills workers in the middle of a job, and waits each time for another worker to have done it. */
export async function killWorkers(
  system: JobSystem,
  opened: AsyncDisposableStack,
  options: { readonly times: number; readonly random: () => number; say(line: string): void },
): Promise<Kills> {
  const words = listenToWorkers()
  const start = () => startWorkerProcess(opened, words, { databaseUrl: system.databaseUrl, job: 'kill' })
  const takeoverMs: number[] = []
  let wrongEffects = 0
  await Promise.all([start(), start()])
  for (let i = 0; i < options.times; i += 1) {
    const effect = `kill ${i}`
    await system.leave('kill', effect)
    const first = await words.find((word) => word.effect === effect && word.attempt === 1)
    // Anywhere between two heartbeats. This is not a wait for something: it is what is tried.
    await sleep(options.random() * 4_000)
    first.from.send('SIGKILL')
    const killedMs = performance.now()
    const second = await words.find((word) => word.effect === effect && word.attempt === 2)
    takeoverMs.push(second.atMs - killedMs)
    options.say(`kill ${i + 1}: taken over after ${Math.round(second.atMs - killedMs)} ms`)
    second.from.goOn(effect)
    await words.find(({ word, ...of }) => word === 'finished' && of.effect === effect)
    if ((await system.timesOf(effect)) !== 1) wrongEffects += 1
    await start()
  }
  return { takeoverMs, wrongEffects }
}
