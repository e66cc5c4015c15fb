import { Writable } from 'node:stream'
import { commandList } from '../command-list.ts'
import { type ExitCode, runCommand } from '../run-command.ts'
import type { World } from '../terminal/command.ts'
import type { Account, AppKey, OwnerActions, User } from '../terminal/owner-actions.ts'

export const anAccount: Account = {
  account_id: '0195c1de-6f00-7a10-8000-000000008001',
  account_name: 'north',
  title: 'North Television',
  country: 'DE',
  frame_rate: 30,
  segment_ms: 3_200,
  loudness_lufs: -23,
  is_format_frozen: false,
  created_date: '2026-03-01T18:00:00.000Z',
}

export const aUser: User = {
  user_id: '0195c1de-6f00-7a10-8000-000000007001',
  email: 'duty@north.example',
  name: 'Night desk',
  roles: ['ROLE_USER', 'ROLE_OPERATOR'],
  status: 'ACTIVE',
  created_date: '2026-03-01T18:00:00.000Z',
  last_login: null,
}

export const anAppKey: AppKey = {
  app_key_id: '0195c1de-6f00-7a10-8000-000000001001',
  app_name: 'north-tv',
  status: 'ACTIVE',
  created_date: '2026-03-01T18:00:00.000Z',
  last_used: null,
}

export interface Outcome {
  readonly exitCode: ExitCode
  readonly printed: string
  readonly errorOutput: string
  /** Progress on standard error. */
  readonly shown: string
  /** What was drawn on standard output. */
  readonly drawn: string
  /** What was streamed to standard output. */
  readonly output: string
  /** The called actions, in order, with their arguments. */
  readonly calls: readonly (readonly unknown[])[]
}

export interface WorldOptions {
  readonly actions?: Partial<OwnerActions>
  readonly env?: World['env']
  readonly input?: string
  readonly nowMs?: number
  /** The size of the terminal; without it, standard output is not a terminal. */
  readonly terminal?: { readonly columns: number; readonly rows: number }
  /** Simulates Ctrl-C. */
  readonly interruption?: AbortSignal
}

/** Runs one command line with the given actions instead of the platform's, and returns the outcome. */
export async function runLine(line: string, options: WorldOptions = {}): Promise<Outcome> {
  const printed: string[] = []
  const errorOutput: string[] = []
  const shown: string[] = []
  const drawn: string[] = []
  const output: string[] = []
  const calls: (readonly unknown[])[] = []
  const world: World = {
    env: options.env ?? {},
    nowMs: options.nowMs ?? 0,
    openActions: () => Promise.resolve(recorded(options.actions ?? {}, calls)),
    readInput: () => Promise.resolve(options.input ?? ''),
    print: (text) => void printed.push(text),
    printError: (text) => void errorOutput.push(text),
    clock: Date.now,
    // Waits take no time.
    sleep: async (_, signal) => signal?.throwIfAborted(),
    interruption: () => options.interruption ?? new AbortController().signal,
    screen: { isTerminal: false, columns: () => 80, write: (text) => void shown.push(text) },
    display: {
      isTerminal: options.terminal !== undefined,
      columns: () => options.terminal?.columns ?? 0,
      rows: () => options.terminal?.rows ?? 0,
      write: (text) => void drawn.push(text),
    },
    output: new Writable({
      write(chunk: Buffer, _, done) {
        output.push(chunk.toString())
        done()
      },
    }),
  }
  const args = line === '' ? [] : line.split(' ')
  const exitCode = await runCommand(commandList, args, world)
  return {
    exitCode,
    printed: printed.join('\n'),
    errorOutput: errorOutput.join('\n'),
    shown: shown.join(''),
    drawn: drawn.join(''),
    output: output.join(''),
    calls,
  }
}

function recorded(actions: Partial<OwnerActions>, calls: (readonly unknown[])[]): OwnerActions {
  const closing = { close: () => Promise.resolve() }
  const entries = Object.entries({ ...closing, ...actions }).map(([name, action]) => [
    name,
    (...args: readonly unknown[]) => {
      calls.push([name, ...args])
      return (action as (...given: readonly unknown[]) => unknown)(...args)
    },
  ])
  return Object.fromEntries(entries) as OwnerActions
}
