import type { Writable } from 'node:stream'
import type { Sleep } from '@continuity/client'
import type { OwnerActions } from './owner-actions.ts'

/** One option of a command, for the parser and for the help. */
export interface Option {
  readonly about: string
  /** What its value is called in the help; a flag has none. */
  readonly value?: string
  readonly isRequired?: true
  /** Makes of the text what is meant, or says in words what is wrong with it. The text itself where it is left out. */
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

/** All that a command can reach outside itself. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  /** When the command was given. */
  readonly nowMs: number
  /** Opened by the commands that need the database, and closed behind them. */
  openActions(): OwnerActions
  /** The time now, for what takes longer. */
  clock(): number
  /** For what asks again and again. */
  readonly sleep: Sleep
  /** A person at a terminal is told what is waited for: the password where nothing else is said. */
  readInput(prompt?: string): Promise<string>
  /**
   * Aborts when Ctrl-C is pressed or nobody reads on. For commands that have a
   * last word to say then; one that does not ask is ended by the system.
   */
  interruption(): AbortSignal
  print(text: string): void
  complain(text: string): void
  /** Where it is told how something goes; never where results go. */
  readonly screen: Screen
  /** Standard output as a screen, where how something goes is the result. */
  readonly display: Display
  /** Standard output, for results that are too large to be held. */
  readonly output: Writable
}

export interface Screen {
  /** It can be written over. */
  readonly isTerminal: boolean
  columns(): number
  write(text: string): void
}

/** One that is drawn on line by line. */
export interface Display extends Screen {
  rows(): number
}

export interface Call<O extends Options = Options> {
  /** What follows the name; empty where the command takes nothing there. */
  readonly operand: string
  /** All of them, where the command takes several. */
  readonly operands: readonly string[]
  readonly options: ValuesOf<O>
  readonly world: World
  /** Tells how it goes, to people only: a script gets the result alone. */
  readonly report: (line: string) => void
  /** A script gets the result and nothing else. */
  readonly asJson: boolean
}

/** What a command has to say: to people, or with `--json` to scripts. */
export interface Said {
  readonly text: string
  /** Undefined where it was printed on the way. */
  readonly json: unknown
  /** It is told as a result and counts as a failure. */
  readonly isFailure?: true
  /** The person who gave the command ended it. */
  readonly wasInterrupted?: true
}

export interface Command<O extends Options = Options> {
  /** As it is typed, such as `accounts create`. */
  readonly name: string
  readonly about: string
  /** What has to follow the name, as the help calls it; it may be there several times where it ends with `…`. */
  readonly operand?: string
  readonly options: O
  run(call: Call<O>): Promise<Said> | Said
}

/** Keeps the exact type of the options, from which `run` is typed. */
export function command<const O extends Options>(value: Command<O>): Command<O> {
  return value
}

/** A command that talks to the database; the connection is closed whatever happens. */
export function ownerCommand<const O extends Options>(
  value: Omit<Command<O>, 'run'> & {
    readonly act: (actions: OwnerActions, call: Call<O>) => Promise<Said>
  },
): Command<O> {
  const { act, ...rest } = value
  return {
    ...rest,
    async run(call) {
      const actions = call.world.openActions()
      try {
        return await act(actions, call)
      } finally {
        await actions.close()
      }
    },
  }
}
