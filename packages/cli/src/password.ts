import { randomBytes } from 'node:crypto'
import type { World } from './command.ts'

/** 120 bits: twenty characters that nobody guesses and a terminal copies with one click. */
const BYTES = 15

export interface ChosenPassword {
  readonly password: string
  /** It was made here, so it has to be told: nobody else knows it. */
  readonly isMade: boolean
}

/** The password from standard input, or a new one. Never from an argument: those are in the list of processes. */
export async function choosePassword(
  fromInput: boolean,
  world: Pick<World, 'readInput'>,
): Promise<ChosenPassword> {
  if (!fromInput) return { password: randomBytes(BYTES).toString('base64url'), isMade: true }
  return { password: await readPassword(world), isMade: false }
}

export async function readPassword(world: Pick<World, 'readInput'>): Promise<string> {
  const input = await world.readInput()
  // The line break belongs to whoever wrote the line, such as echo.
  const password = input.replace(/\r?\n$/, '')
  if (password === '') throw new Error('Standard input holds no password.')
  return password
}
