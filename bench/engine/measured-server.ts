import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** The server has the first core, the load the others. */
export const SERVER_CORE = '0'
export const loadCores = availableParallelism() > 1 ? `1-${availableParallelism() - 1}` : '0'
export const allCores = `0-${availableParallelism() - 1}`

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** A server whose processor time can be measured. */
export interface Measurable {
  readonly url: string
  /** Processor time used so far, of all threads. */
  cpuSeconds(): number
}

export interface MeasuredServer extends Measurable, AsyncDisposable {
  readonly pid: number
}

export interface ServerOptions {
  /** In taskset's syntax; the first core by default. */
  readonly cores?: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts a server of a bench: a script that sends its address to its parent. Its log is written to a file, as in
 * production.
 */
export async function startMeasuredServer(
  script: string,
  logFile: string,
  { cores = SERVER_CORE, env = {} }: ServerOptions = {},
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
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('the measured server exited')))
  // Exiting later is expected.
  failed.catch(() => {})
  const [message] = (await Promise.race([once(child, 'message'), failed])) as [{ url: string }]
  return message.url
}

export function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}
