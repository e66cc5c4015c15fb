import { readFileSync } from 'node:fs'
import type { JobSystem } from './job-system.ts'
import { createMessageLog, startWorkerProcess } from './worker-process.ts'

export interface Stops {
  /** Jobs that another worker had while the first was stopped. */
  readonly takenByAnother: number
  /** Runs of a stopped worker whose result was rejected after it continued. */
  readonly rejected: number
  /** Jobs that the second worker no longer had after the first was rejected. */
  readonly disturbed: number
  /** Effects that did not happen exactly once. */
  readonly wrongEffects: number
}

/**
 * Stops workers until another has their job, and continues them: `stop` before the
 * effect, `stop_inside` in the middle of its transaction, with rows locked.
 */
export async function stopWorkers(
  system: JobSystem,
  opened: AsyncDisposableStack,
  options: { readonly job: 'stop' | 'stop_inside'; readonly times: number; log(line: string): void },
): Promise<Stops> {
  const messages = createMessageLog()
  const { job } = options
  const start = () => startWorkerProcess(opened, messages, { databaseUrl: system.databaseUrl, job })
  const stops = { takenByAnother: 0, rejected: 0, disturbed: 0, wrongEffects: 0 }
  await Promise.all([start(), start()])
  for (let i = 0; i < options.times; i += 1) {
    const effect = `${job} ${i}`
    const isMessage =
      (kind: string, attempt: number) => (message: { kind: string; effect?: string; attempt?: number }) =>
        message.kind === kind && message.effect === effect && message.attempt === attempt
    await system.enqueue(job, effect)
    const first = await messages.find(isMessage(job === 'stop' ? 'running' : 'inside', 1))
    first.from.send('SIGSTOP')
    const second = await messages.find(isMessage('running', 2))
    options.log(`${job} ${i + 1}: taken over after ${Math.round(second.atMs - first.atMs)} ms`)
    if (second.from !== first.from && isStopped(first.from.pid)) stops.takenByAnother += 1
    if (job === 'stop_inside') await messages.find(isMessage('finished', 2))

    first.from.resume(effect)
    first.from.send('SIGCONT')
    const continued = await messages.find(
      (message) => isMessage('rejected', 1)(message) || isMessage('finished', 1)(message),
    )
    if (continued.message.kind === 'rejected') stops.rejected += 1
    else options.log(`${effect}: the continued worker finished a job that another worker had`)
    if (job === 'stop') {
      const states = await system.statesOf(effect)
      if (states.join() !== 'active' || (await system.timesOf(effect)) !== 0) stops.disturbed += 1
      second.from.resume(effect)
      await messages.find((message) => isMessage('rejected', 2)(message) || isMessage('finished', 2)(message))
    }
    const states = (await system.statesOf(effect)).join()
    const times = await system.timesOf(effect)
    if (times !== 1 || states !== 'completed') {
      stops.wrongEffects += 1
      options.log(`${effect}: the effect happened ${times} times, the job is ${states}`)
    }
  }
  return stops
}

/** proc(5): the state comes after the name in brackets. */
function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
}
