import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { codeOf } from './fault.ts'
import type { SystemUser } from './system-user.ts'
import { pollUntil, settlesWithin } from './waiting.ts'

export interface ChildOptions {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  readonly stopSignal: NodeJS.Signals // makes the child stop in good order
  readonly forceSignal: NodeJS.Signals // ends it at once
  readonly graceMs: number // from the first to the second
  readonly user?: SystemUser | undefined
  readonly withMessages?: boolean
}

export interface Child {
  readonly name: string
  readonly pid: number
  readonly logFile: string
  readonly exited: Promise<string> // how it ended, as text
  isRunning(): boolean
  firstMessage(): unknown
  stop(): Promise<void>
}

/**
 * Starts a program that runs until it is stopped.
 *
 * It gets a session of its own, because a terminal sends Ctrl-C to the whole
 * process group: the database would go down while the API still drains. Its
 * output goes straight to a file, so that it can never hang on a pipe that
 * is never read. Should this process end without stopping it (a crash, a
 * second Ctrl-C), the child is forced down on the way out.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  await rename(options.logFile, `${options.logFile}.1`).catch(ignoreMissing)
  const started = spawnIntoLog(options)
  const state: ChildState = { started, isRunning: true, firstMessage: undefined }
  const forceDown = () => void started.kill(options.forceSignal)
  const exited = new Promise<string>((resolve) => {
    started.once('exit', (code, signal) => {
      state.isRunning = false
      process.off('exit', forceDown)
      resolve(signal ? `ended by ${signal}` : `ended with code ${code}`)
    })
  })
  started.once('message', (message) => {
    state.firstMessage = message
  })
  await once(started, 'spawn')
  process.once('exit', forceDown)
  return {
    name: options.name,
    pid: started.pid!,
    logFile: options.logFile,
    exited,
    isRunning: () => state.isRunning,
    firstMessage: () => state.firstMessage,
    stop: () => stopChild(state, exited, options),
  }
}

/**
 * Waits until the child is ready, and returns what its ready message contains.
 *
 * A child that ends first, or takes too long, is stopped and reported with
 * the last lines of its log, where programs report what is wrong.
 */
export async function waitUntilReady<T>(
  child: Child,
  sign: () => Promise<T | undefined> | T | undefined,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T> {
  try {
    const look = async () => {
      if (!child.isRunning()) return 'ended'
      const answer = await sign()
      return answer === undefined ? undefined : { answer }
    }
    const seen = await pollUntil(look, timeoutMs, signal)
    if (seen === undefined) throw await failureOf(child, `was not ready after ${timeoutMs / 1000} s`)
    if (seen === 'ended') throw await failureOf(child, `${await child.exited} before it was ready`)
    return seen.answer
  } catch (error) {
    await child.stop()
    throw error
  }
}

/** An error that states what happened to the child, with the last lines of its log. */
export async function failureOf(child: Child, whatHappened: string): Promise<Error> {
  const text = await readFile(child.logFile, 'utf8').catch(() => '')
  const lastLines = text.trimEnd().split('\n').slice(-20).join('\n')
  return new Error(`${child.name} ${whatHappened}. The end of ${child.logFile}:\n${lastLines}`)
}

interface ChildState {
  readonly started: ChildProcess
  isRunning: boolean // written by the exit listener only
  firstMessage: unknown // written by the message listener only
}

function spawnIntoLog(options: ChildOptions): ChildProcess {
  const log = openSync(options.logFile, 'w', 0o600)
  try {
    return spawn(options.command, options.args, {
      // A server that runs as another user may not be able to enter our own folder.
      cwd: '/',
      detached: true,
      env: { ...options.env },
      stdio: options.withMessages ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
      ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
    })
  } finally {
    closeSync(log)
  }
}

async function stopChild(state: ChildState, exited: Promise<string>, options: ChildOptions): Promise<void> {
  const steps = [
    { signal: options.stopSignal, waitMs: options.graceMs },
    { signal: options.forceSignal, waitMs: 5_000 },
  ]
  for (const step of steps) {
    if (!state.isRunning) return
    state.started.kill(step.signal)
    if (await settlesWithin(exited, step.waitMs)) return
  }
  state.started.kill('SIGKILL')
  await exited
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error
}
