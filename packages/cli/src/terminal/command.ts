import type { Writable } from 'node:stream'
import type { Sleep } from '@continuity/client'
import type { OwnerActions } from './owner-actions.ts'

/** One option of a command, for the parser and for the help. */
export interface Option {
  readonly about: string
  /** The name of its value in the help; a flag has none. */
  readonly value?: string
  readonly isRequired?: true
  /** Parses the text, or returns what is wrong with it. Default: the text itself. */
  readonly read?: (text: string) => { readonly value: unknown } | { readonly fault: string }
}
export type Options = Readonly<Record<string, Option>>

export type ValuesOf<O extends Options> = {
  readonly [K in keyof O]: O[K] extends { readonly value: string }
    ? ValueOf<O[K]> | (O[K] extends { readonly isRequired: true } ? never : undefined)
    : boolean
}
type ValueOf<P extends Option> = P extends { readonly read: (text: string) => infer R }
  ? Extract<R, { readonly value: unknown }>['value']
  : string

/** Everything outside of the command that it can use. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  /** When the command was started. */
  readonly nowMs: number
  /** Commands that need the database open it, and close it at the end. */
  openActions(): Promise<OwnerActions>
  /** The current time, for commands that take longer. */
  clock(): number
  /** For commands that poll. */
  readonly sleep: Sleep
  /** On a terminal, prints a prompt first; by default for the password. */
  readInput(prompt?: string): Promise<string>
  /**
   * Aborts on Ctrl-C or when standard output is closed. For commands that print
   * something at their end; without a call of this, SIGINT ends the process.
   */
  interruption(): AbortSignal
  print(text: string): void
  printError(text: string): void
  /** For progress; never for results. */
  readonly screen: Screen
  /** Standard output as a screen, if the progress is the result. */
  readonly display: Display
  /** Standard output, for results that are too large for memory. */
  readonly output: Writable
}

export interface Screen {
  /** It can be redrawn. */
  readonly isTerminal: boolean
  columns(): number
  write(text: string): void
}

/** A screen of several lines. */
export interface Display extends Screen {
  rows(): number
}

export interface Call<O extends Options = Options> {
  /** The first argument after the name; empty if the command takes none. */
  readonly operand: string
  /** All arguments, if the command takes several. */
  readonly operands: readonly string[]
  readonly options: ValuesOf<O>
  readonly world: World
  /** Prints progress, unless `--json` is given. */
  readonly report: (line: string) => void
  /** `--json`: only the result is printed, as JSON. */
  readonly asJson: boolean
}

/** The result of a command, as text and for `--json`. */
export interface CommandResult {
  readonly text: string
  /** Undefined if it was already printed. */
  readonly json: unknown
  /** The result is printed, and the exit code is 1. */
  readonly isFailure?: true
  /** The user interrupted the command. */
  readonly wasInterrupted?: true
}

export interface Command<O extends Options = Options> {
  /** As it is typed, such as `accounts create`. */
  readonly name: string
  readonly about: string
  /**
   * The names of the arguments in the help, separated by spaces. One in brackets may be left out; the last one may be
   * repeated if it ends with `…`.
   */
  readonly operand?: string
  readonly options: O
  run(call: Call<O>): Promise<CommandResult> | CommandResult
}

/** Preserves the exact type of the options, from which `run` is typed. */
export function command<const O extends Options>(value: Command<O>): Command<O> {
  return value
}

/** A command that uses the database; the connection is always closed. */
export function ownerCommand<const O extends Options>(
  value: Omit<Command<O>, 'run'> & {
    readonly act: (actions: OwnerActions, call: Call<O>) => Promise<CommandResult>
  },
): Command<O> {
  const { act, ...rest } = value
  return {
    ...rest,
    async run(call) {
      const actions = await call.world.openActions()
      try {
        return await act(actions, call)
      } finally {
        await actions.close()
      }
    },
  }
}
