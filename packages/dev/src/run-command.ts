import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { messageOf } from './fault.ts'
import type { SystemUser } from './system-user.ts'

const execute = promisify(execFile)

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly user?: SystemUser | undefined
  readonly input?: string // secrets go in here: arguments can be read by every user of the machine
  readonly signal?: AbortSignal | undefined
}

/** Runs a short program to its end and gives what it printed; a failure carries what it complained about. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const running = execute(command, args, {
    cwd: '/',
    env: { ...options.env },
    // Nothing that we run takes more than seconds; one that hangs must not hang us.
    timeout: 60_000,
    ...(options.signal ? { signal: options.signal } : {}),
    ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
  })
  // A program that ends without reading its input is judged by its exit code, not by the broken pipe.
  running.child.stdin?.on('error', () => {})
  running.child.stdin?.end(options.input ?? '')
  try {
    return (await running).stdout
  } catch (cause) {
    await untilGone(running.child)
    if (options.signal?.aborted) throw cause
    throw new Error(`${command} failed: ${complaintOf(cause)}`, { cause })
  }
}

/** When we give up on a program it may still be at work on files that the caller is about to clear. */
async function untilGone(child: ChildProcess): Promise<void> {
  const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null
  if (isRunning) await once(child, 'exit')
}

function complaintOf(fault: unknown): string {
  const stderr = fault instanceof Error && 'stderr' in fault ? String(fault.stderr).trim() : ''
  return stderr || messageOf(fault)
}
