import { readFile } from 'node:fs/promises'
import { codeOf } from './fault.ts'
import { pollUntil } from './waiting.ts'

/** A process that an earlier start left running when it was killed. */
export interface LeftBehind {
  readonly pid: number
  readonly isStillIt: () => Promise<boolean>
  readonly stopSignal: NodeJS.Signals
  readonly forceSignal: NodeJS.Signals
  readonly graceMs: number
}

/**
 * Ends a process by its number, and only while it is still the one we mean.
 *
 * Numbers are used again, so the question is put before every signal.
 */
export async function stopLeftBehind(process: LeftBehind): Promise<boolean> {
  if (!(await process.isStillIt())) return false
  for (const [signal, waitMs] of [
    [process.stopSignal, process.graceMs],
    [process.forceSignal, 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    sendSignal(process.pid, signal)
    const gone = await pollUntil(async () => ((await process.isStillIt()) ? undefined : true), waitMs)
    if (gone) return true
  }
  throw new Error(`Process ${process.pid} of an earlier start does not end.`)
}

/** Whether the process runs and has this very word among its arguments. A zombie has none. */
export async function hasArgument(pid: number, argument: string): Promise<boolean> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.split('\0').includes(argument)
}

/**
 * When the process was born, in the kernel's own count, so that a number used
 * again is distinguished from the process that had it before.
 *
 * Undefined when it is gone, or only waits to be reaped. Without /proc the
 * number alone decides.
 */
export async function birthOf(pid: number): Promise<string | undefined> {
  if (!exists(pid)) return undefined
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return exists(pid) ? 'unknown' : undefined
  // proc(5): the second field is a name that may hold spaces; state is the third, starttime the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It may have ended by itself meanwhile.
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
