import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ProofJob, WorkerWord } from './proof-jobs.ts'

const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/continuity')

export interface WorkerProcess {
  readonly pid: number
  /** With the signal that ended it, if one did. */
  readonly exited: Promise<NodeJS.Signals | null>
  send(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
  /** Lets a run continue that waits. A stopped worker receives it when it wakes. */
  goOn(effect: string): void
}

/** Everything that the workers of one part of the proof say. */
export interface Words {
  heard(from: WorkerProcess, word: WorkerWord): void
  /** The first that matches, said already or yet to come. */
  find(matches: (word: WorkerWord) => boolean): Promise<Heard>
}

export interface Heard {
  readonly from: WorkerProcess
  readonly word: WorkerWord
  readonly atMs: number
}

/** Half of CI's patience with a proof. */
const PATIENCE_MS = 60_000

export function listenToWorkers(): Words {
  const all: Heard[] = []
  const waiting = new Set<(heard: Heard) => void>()
  return {
    heard(from, word) {
      const heard = { from, word, atMs: performance.now() }
      all.push(heard)
      for (const look of waiting) look(heard)
    },
    find(matches) {
      return new Promise((resolve, reject) => {
        const found = all.find(({ word }) => matches(word))
        if (found !== undefined) return resolve(found)
        const said = () => JSON.stringify(all.slice(-5).map(({ word }) => word))
        const timer = setTimeout(() => reject(new Error(`no such word came, only ${said()}`)), PATIENCE_MS)
        const look = (heard: Heard) => {
          if (!matches(heard.word)) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(heard)
        }
        waiting.add(look)
      })
    },
  }
}

/** Starts a worker process, which ends with `opened`, and waits until it takes jobs. */
export async function startWorkerProcess(
  opened: AsyncDisposableStack,
  words: Words,
  options: { readonly databaseUrl: string; readonly job: ProofJob },
): Promise<WorkerProcess> {
  const child = fork(join(import.meta.dirname, 'worker.ts'), {
    env: { DATABASE_URL: options.databaseUrl, JOB: options.job, NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const worker = controlOf(child)
  opened.defer(async () => {
    worker.send('SIGKILL')
    await worker.exited
  })
  const ready = Promise.withResolvers<void>()
  child.on('message', (word: WorkerWord) => {
    if (word.word === 'ready') ready.resolve()
    else words.heard(worker, word)
  })
  const ended = worker.exited.then(() => Promise.reject(new Error('a worker ended before it was ready')))
  await Promise.race([ready.promise, ended])
  ended.catch(() => {})
  return worker
}

function controlOf(child: ChildProcess): WorkerProcess {
  return {
    pid: child.pid!,
    exited: once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null),
    send: (signal) => void child.kill(signal),
    goOn: (effect) => void child.send({ goOn: effect }),
  }
}
