import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The server has the first core for itself, the load has the others. */
export const SERVER_CORE = '0'
export const loadCores = availableParallelism() > 1 ? `1-${availableParallelism() - 1}` : '0'
export const allCores = `0-${availableParallelism() - 1}`

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** What a load can be measured on. */
export interface Measurable {
  readonly url: string
  /** Processor time used so far, of all threads. */
  cpuSeconds(): number
}

export interface MeasuredServer extends Measurable, AsyncDisposable {
  readonly pid: number
}

export interface ServerPlace {
  /** As taskset names them. The first core where nothing is said. */
  readonly cores?: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts a server of a bench: a script that sends its address to its parent.
 * What it logs goes to a file, as it would in production.
 */
export async function startMeasuredServer(
  script: string,
  logFile: string,
  { cores = SERVER_CORE, env = {} }: ServerPlace = {},
): Promise<MeasuredServer> {
  const log = openSync(logFile, 'a')
  const child = spawn('taskset', ['-c', cores, process.execPath, script], {
    stdio: ['ignore', log, 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  })
  closeSync(log)
  const url = await firstMessage(child)
  return {
    url,
    pid: child.pid!,
    cpuSeconds: () => readCpuSeconds(child.pid!),
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function firstMessage(child: ChildProcess): Promise<string> {
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the server of the bench ended')))
  // Ending it later is our own doing.
  failed.catch(() => {})
  const [message] = (await Promise.race([once(child, 'message'), failed])) as [{ url: string }]
  return message.url
}

export function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
