import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { ProofJob, WorkerMessage } from './proof-jobs.ts'

const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/continuity')

export interface WorkerProcess {
  readonly pid: number
  /** With the signal that ended it, if one did. */
  readonly exited: Promise<NodeJS.Signals | null>
  send(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
  /** Lets a waiting run continue. A stopped worker receives it after SIGCONT. */
  resume(effect: string): void
}

/** All messages of the workers of one part of the proof. */
export interface MessageLog {
  add(from: WorkerProcess, message: WorkerMessage): void
  /** The first that matches, already received or in the future. */
  find(matches: (message: WorkerMessage) => boolean): Promise<ReceivedMessage>
}

export interface ReceivedMessage {
  readonly from: WorkerProcess
  readonly message: WorkerMessage
  readonly atMs: number
}

/** Half of the timeout of a proof in CI. */
const TIMEOUT_MS = 60_000

export function createMessageLog(): MessageLog {
  const all: ReceivedMessage[] = []
  const waiting = new Set<(received: ReceivedMessage) => void>()
  return {
    add(from, message) {
      const received = { from, message, atMs: performance.now() }
      all.push(received)
      for (const check of waiting) check(received)
    },
    find(matches) {
      return new Promise((resolve, reject) => {
        const found = all.find(({ message }) => matches(message))
        if (found !== undefined) return resolve(found)
        const last = () => JSON.stringify(all.slice(-5).map(({ message }) => message))
        const timer = setTimeout(
          () => reject(new Error(`no such message; the last are ${last()}`)),
          TIMEOUT_MS,
        )
        const check = (received: ReceivedMessage) => {
          if (!matches(received.message)) return
          clearTimeout(timer)
          waiting.delete(check)
          resolve(received)
        }
        waiting.add(check)
      })
    },
  }
}

/** Starts a worker process, stopped with `opened`, and waits until it takes jobs. */
export async function startWorkerProcess(
  opened: AsyncDisposableStack,
  messages: MessageLog,
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
  child.on('message', (message: WorkerMessage) => {
    if (message.kind === 'ready') ready.resolve()
    else messages.add(worker, message)
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
    resume: (effect) => void child.send({ resume: effect }),
  }
}
