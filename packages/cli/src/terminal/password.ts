import { randomBytes } from 'node:crypto'
import type { World } from './command.ts'

/** 120 bits: twenty characters, which a terminal selects with a double click. */
const BYTES = 15

export interface ChosenPassword {
  readonly password: string
  /** It was generated here, so it has to be printed. */
  readonly isMade: boolean
}

/** The password from standard input, or a new one. Never from an argument: those are visible in the process list. */
export async function choosePassword(
  fromInput: boolean,
  world: Pick<World, 'readInput'>,
): Promise<ChosenPassword> {
  if (!fromInput) return { password: randomBytes(BYTES).toString('base64url'), isMade: true }
  return { password: await readPassword(world), isMade: false }
}

export async function readPassword(world: Pick<World, 'readInput'>): Promise<string> {
  const input = await world.readInput()
  // echo and editors add a line break.
  const password = input.replace(/\r?\n$/, '')
  if (password === '') throw new Error('Standard input contains no password.')
  return password
}
