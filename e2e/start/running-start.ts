import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { compileCache } from '@continuity/dev/compile-cache'
import { MADE_SERVERS } from '@continuity/dev/node-process'
import { findStackFile, type StackRecord } from '@continuity/dev/stack-file'
import type { SystemUser } from '@continuity/dev/system-user'
import { pollUntil, settlesWithin } from '@continuity/dev/waiting'
import type { ReadyLine } from '../../tools/start/ready-line.ts'

const PROJECT = join(import.meta.dirname, '../..')
const START = [process.execPath, join(PROJECT, 'tools/start/start.ts')]

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly user?: SystemUser
  readonly command?: readonly string[] // the command line to run instead
}

export interface RunningStart {
  readonly pid: number
  stdout(): string
  stderr(): string
  /** Rejects with its output if it ends first. */
  ready(): Promise<ReadyLine>
  /** Rejects with its output if it keeps running. */
  ended(): Promise<Exit>
  getRecord(): Promise<StackRecord>
  /** Sends a signal to every process of the group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void
  end(): Promise<void>
}

export interface Exit {
  readonly code: unknown
  readonly signal: unknown
}

/** Every first start packages the slates of the demo account: make that cheap. */
const SMALL_PICTURES = { LADDER: '160x90@100+64', ENCODER_PRESET: 'ultrafast' }

/** Runs the command of `npm start` on a free port, in its own process group. */
export function startIn(home: string, options: StartOptions): RunningStart {
  const [command, ...args] = options.command ?? START
  const child = spawn(command!, args, {
    cwd: PROJECT,
    detached: true,
    env: {
      ...compileCache(PROJECT),
      ...SMALL_PICTURES,
      ...(process.env[MADE_SERVERS] !== undefined && { [MADE_SERVERS]: process.env[MADE_SERVERS] }),
      PATH: process.env.PATH,
      HOME: home,
      PORT: '0',
      CONTINUITY_HOME: home,
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.user ? { uid: options.user.uid, gid: options.user.gid } : {}),
  })
  const output = { stdout: '', stderr: '' } // appended to by the two listeners only
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const exited: Promise<Exit> = once(child, 'close').then(([code, signal]: unknown[]) => ({ code, signal }))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const signalGroup = (signal: NodeJS.Signals) => void (isRunning() && process.kill(-child.pid!, signal))

  const ready = async () => {
    const line = await pollUntil(() => {
      if (!isRunning()) throw new Error(`ended before it was ready:\n${output.stderr}`)
      return /^\{.*\}$/m.exec(output.stdout)?.[0]
    }, 60_000)
    if (line === undefined) throw new Error(`not ready after 60 s:\n${output.stderr}`)
    const parsed: ReadyLine = JSON.parse(line)
    return parsed
  }
  const ended = async () => {
    if (await settlesWithin(exited, 30_000)) return exited
    throw new Error(`did not end within 30 s:\n${output.stderr}`)
  }
  const getRecord = async () => {
    const record = await findStackFile(home)
    if (!record) throw new Error(`no stack.json in ${home}`)
    return record
  }
  const end = async () => {
    signalGroup('SIGTERM')
    if (!(await settlesWithin(exited, 30_000))) signalGroup('SIGKILL')
  }
  return {
    pid: child.pid!,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ready,
    ended,
    getRecord,
    signalGroup,
    end,
  }
}
