import { setTimeout as sleep } from 'node:timers/promises'
import type { JobSystem } from './job-system.ts'
import { listenToWorkers, startWorkerProcess } from './worker-process.ts'

export interface Kills {
  /** From the enqueueing of a job until a worker had it, with nothing in the way: what this machine needs. */
  readonly pickupMs: readonly number[]
  /** Workers that SIGKILL ended while their job was active and its effect was still to come. */
  readonly struck: number
  /** Jobs that a worker other than the killed one took. */
  readonly takenByAnother: number
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
  const [takeoverMs, pickupMs]: [number[], number[]] = [[], []]
  let [struck, takenByAnother] = [0, 0]
  let wrongEffects = 0
  await Promise.all([start(), start()])
  for (let i = 0; i < options.times; i += 1) {
    const effect = `kill ${i}`
    const leftMs = performance.now()
    await system.leave('kill', effect)
    const first = await words.find((word) => word.effect === effect && word.attempt === 1)
    pickupMs.push(first.atMs - leftMs)
    // Anywhere between two heartbeats. This is not a wait for something: it is what is tried.
    await sleep(options.random() * 2_000)
    const states = await system.statesOf(effect)
    const isUnderWay = states.join() === 'active' && (await system.timesOf(effect)) === 0
    first.from.send('SIGKILL')
    const killedMs = performance.now()
    if ((await first.from.exited) === 'SIGKILL' && isUnderWay) struck += 1
    const second = await words.find((word) => word.effect === effect && word.attempt === 2)
    takeoverMs.push(second.atMs - killedMs)
    if (second.from !== first.from) takenByAnother += 1
    options.say(`kill ${i + 1}: taken over after ${Math.round(second.atMs - killedMs)} ms`)
    second.from.goOn(effect)
    await words.find(({ word, ...of }) => word === 'finished' && of.effect === effect)
    const times = await system.timesOf(effect)
    if (times !== 1) {
      wrongEffects += 1
      options.say(`${effect}: the effect happened ${times} times`)
    }
    await start()
  }
  return { pickupMs, struck, takenByAnother, takeoverMs, wrongEffects }
}
