import { setTimeout as sleep } from 'node:timers/promises'
import type { JobSystem } from './job-system.ts'
import { createMessageLog, startWorkerProcess } from './worker-process.ts'

export interface Kills {
  /** From enqueueing a job until a worker had it, without a fault: the pace of this machine. */
  readonly pickupMs: readonly number[]
  /** Workers that were killed while their job was active and before its effect. */
  readonly struck: number
  /** Jobs that a worker other than the killed one took. */
  readonly takenByAnother: number
  /** From the death of a worker until another had its job, each time. */
  readonly takeoverMs: readonly number[]
  /** Effects that did not happen exactly once. */
  readonly wrongEffects: number
}

/** Kills workers in the middle of a job, and waits each time until another worker has finished it. */
export async function killWorkers(
  system: JobSystem,
  opened: AsyncDisposableStack,
  options: { readonly times: number; readonly random: () => number; log(line: string): void },
): Promise<Kills> {
  const messages = createMessageLog()
  const start = () => startWorkerProcess(opened, messages, { databaseUrl: system.databaseUrl, job: 'kill' })
  const [takeoverMs, pickupMs]: [number[], number[]] = [[], []]
  let [struck, takenByAnother] = [0, 0]
  let wrongEffects = 0
  await Promise.all([start(), start()])
  for (let i = 0; i < options.times; i += 1) {
    const effect = `kill ${i}`
    const enqueuedMs = performance.now()
    await system.enqueue('kill', effect)
    const first = await messages.find((message) => message.effect === effect && message.attempt === 1)
    pickupMs.push(first.atMs - enqueuedMs)
    // A random time between two heartbeats.
    await sleep(options.random() * 2_000)
    const states = await system.statesOf(effect)
    const isRunning = states.join() === 'active' && (await system.timesOf(effect)) === 0
    first.from.send('SIGKILL')
    const killedMs = performance.now()
    if ((await first.from.exited) === 'SIGKILL' && isRunning) struck += 1
    const second = await messages.find((message) => message.effect === effect && message.attempt === 2)
    takeoverMs.push(second.atMs - killedMs)
    if (second.from !== first.from) takenByAnother += 1
    options.log(`kill ${i + 1}: taken over after ${Math.round(second.atMs - killedMs)} ms`)
    second.from.resume(effect)
    await messages.find((message) => message.kind === 'finished' && message.effect === effect)
    const times = await system.timesOf(effect)
    if (times !== 1) {
      wrongEffects += 1
      options.log(`${effect}: the effect happened ${times} times`)
    }
    await start()
  }
  return { pickupMs, struck, takenByAnother, takeoverMs, wrongEffects }
}
